//! Opening a connection: TCP, TLS and the protocol settled between us.
//!
//! Addresses are tried in order and each gets its share of the time left, so
//! that a dead first address does not use up the second's. Only what fails
//! before a word of HTTP was said moves on to the next address.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use gannet_model::{Host, Scheme};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::wire::Wire;
use crate::{Config, FetchError, Guard, Phase, RootCertificates, SetupError};

/// Opens connections.
pub(crate) struct Dialer {
    tls: TlsConnector,
    /// For TCP and TLS together.
    limit: Duration,
}

impl Dialer {
    pub(crate) fn new(config: &Config) -> Result<Dialer, SetupError> {
        let roots = trusted_roots(&config.extra_roots)?;
        let provider = Arc::new(ring::default_provider());
        let mut tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| SetupError::Tls(Box::new(error)))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = match config.http2 {
            true => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
            false => vec![b"http/1.1".to_vec()],
        };
        Ok(Dialer { tls: TlsConnector::from(Arc::new(tls)), limit: config.timeouts.connect })
    }

    /// Opens a connection to the first of `sockets` that accepts one, asking
    /// the guard once more about each.
    pub(crate) async fn dial(
        &self,
        host: &Host,
        scheme: Scheme,
        sockets: &[SocketAddr],
        guard: &Guard,
    ) -> Result<(Wire, SocketAddr), FetchError> {
        let deadline = Instant::now() + self.limit;
        let too_long =
            || FetchError::Timeout { host: host.clone(), phase: Phase::Connect, limit: self.limit };
        let mut last = None;
        for (index, &socket) in sockets.iter().enumerate() {
            if !guard.permits(socket.ip()) {
                let address = socket.ip();
                last = Some(FetchError::ForbiddenAddress { host: host.clone(), address });
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(sockets.len() - index).unwrap_or(1);
            match timeout(share, TcpStream::connect(socket)).await {
                Ok(Ok(stream)) => {
                    let secured = timeout_at(deadline, self.secure(host, scheme, stream)).await;
                    return Ok((secured.map_err(|_| too_long())??, socket));
                }
                Ok(Err(source)) => {
                    last =
                        Some(FetchError::Refused { host: host.clone(), address: socket, source });
                }
                Err(_) => last = Some(too_long()),
            }
        }
        Err(last.unwrap_or_else(too_long))
    }

    async fn secure(
        &self,
        host: &Host,
        scheme: Scheme,
        stream: TcpStream,
    ) -> Result<Wire, FetchError> {
        // A request is one small write: waiting to fill a packet only delays it.
        // A socket that refuses the option still works.
        let _ = stream.set_nodelay(true);
        match scheme {
            Scheme::Http => Ok(Wire::plain(stream)),
            Scheme::Https => {
                let failed = |source| FetchError::Tls { host: host.clone(), source };
                let name = server_name(host.name()).map_err(failed)?;
                let stream = self.tls.connect(name, stream).await.map_err(failed)?;
                Ok(Wire::tls(stream))
            }
        }
    }
}

/// The name the certificate must carry.
fn server_name(name: &str) -> Result<ServerName<'static>, io::Error> {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    ServerName::try_from(bare.to_owned())
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// Mozilla's authorities and those the user adds.
fn trusted_roots(extra: &[RootCertificates]) -> Result<RootCertStore, SetupError> {
    let mut roots = RootCertStore::empty();
    roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    for source in extra {
        let certificates = match source {
            RootCertificates::Der(der) => vec![CertificateDer::from(der.clone())],
            RootCertificates::PemFile(path) => CertificateDer::pem_file_iter(path)
                .and_then(Iterator::collect)
                .map_err(|error| SetupError::RootsUnreadable {
                    path: path.clone(),
                    source: Box::new(error),
                })?,
        };
        for certificate in certificates {
            roots.add(certificate).map_err(|error| SetupError::BadRoot(Box::new(error)))?;
        }
    }
    Ok(roots)
}
