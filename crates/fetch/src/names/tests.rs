//! Names against a name server of our own.

use std::sync::atomic::{AtomicUsize, Ordering};

use gannet_model::Failure;
use hickory_resolver::proto::op::{Message, MessageType};
use hickory_resolver::proto::rr::rdata::A;
use hickory_resolver::proto::rr::{RData, Record, RecordType};
use tokio::net::UdpSocket;
use tokio::task::JoinSet;

use super::*;

struct NameServer {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
    _tasks: JoinSet<()>,
}

/// Knows `public.test`, `mixed.test` and `private.test`; refuses to say
/// anything useful about `broken.test`; stays silent about `silent.test`.
async fn name_server() -> NameServer {
    let socket = UdpSocket::bind("127.0.0.1:0").await.unwrap();
    let address = socket.local_addr().unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let mut buffer = [0; 2048];
        while let Ok((length, client)) = socket.recv_from(&mut buffer).await {
            count.fetch_add(1, Ordering::SeqCst);
            if let Some(reply) = reply(&buffer[..length]) {
                let _ = socket.send_to(&reply, client).await;
            }
        }
    });
    NameServer { address, asked, _tasks: tasks }
}

fn reply(question: &[u8]) -> Option<Vec<u8>> {
    let mut message = Message::from_vec(question).unwrap();
    let query = message.queries[0].clone();
    let addresses: &[[u8; 4]] = match query.name().to_ascii().to_ascii_lowercase().as_str() {
        "public.test." => &[[9, 9, 9, 9], [1, 1, 1, 1]],
        "mixed.test." => &[[10, 0, 0, 1], [1, 1, 1, 1]],
        "private.test." => &[[169, 254, 169, 254]],
        "broken.test." => {
            message.metadata.response_code = ResponseCode::ServFail;
            &[]
        }
        "silent.test." => return None,
        _ => {
            message.metadata.response_code = ResponseCode::NXDomain;
            &[]
        }
    };
    message.metadata.message_type = MessageType::Response;
    if query.query_type() == RecordType::A {
        for &[a, b, c, d] in addresses {
            let record =
                Record::from_rdata(query.name().clone(), 300, RData::A(A::new(a, b, c, d)));
            message.answers.push(record);
        }
    }
    Some(message.to_vec().unwrap())
}

fn names(servers: Vec<SocketAddr>) -> Names {
    let limits = NameLimits { servers, ..NameLimits::default() };
    let overrides = Overrides::parse("127.0.0.9:81 over.test\n8.8.8.8 good.test").unwrap();
    Names::new(overrides, limits, Duration::from_millis(300))
}

async fn resolve(names: &Names, host: &str) -> Result<Target, Failure> {
    let host = Host::parse(host).unwrap();
    names.resolve(&host, &Guard::default()).await.map_err(|error| error.failure())
}

#[tokio::test]
async fn names_are_asked_once_and_their_addresses_ordered() {
    let server = name_server().await;
    let names = names(vec![server.address]);
    for _ in 0..3 {
        let target = resolve(&names, "public.test:8080").await.unwrap();
        let expected: [IpAddr; 2] = ["1.1.1.1".parse().unwrap(), "9.9.9.9".parse().unwrap()];
        assert_eq!((target.addresses(), target.primary()), (&expected[..], expected[0]));
        let left = target.expires().unwrap() - Instant::now();
        assert!(left > Duration::from_secs(200) && left <= Duration::from_secs(300), "{left:?}");
    }
    assert_eq!(server.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn forbidden_addresses_are_left_out_and_nothing_left_is_a_failure() {
    let server = name_server().await;
    let names = names(vec![server.address]);
    let target = resolve(&names, "mixed.test").await.unwrap();
    assert_eq!(target.addresses(), ["1.1.1.1".parse::<IpAddr>().unwrap()]);
    assert_eq!(resolve(&names, "private.test").await, Err(Failure::ForbiddenAddress));
}

#[tokio::test]
async fn names_without_an_address_are_remembered_too() {
    let server = name_server().await;
    let names = names(vec![server.address]);
    assert_eq!(resolve(&names, "nowhere.test").await, Err(Failure::NameNotFound));
    let asked = server.asked.load(Ordering::SeqCst);
    assert_eq!(resolve(&names, "nowhere.test").await, Err(Failure::NameNotFound));
    assert_eq!(server.asked.load(Ordering::SeqCst), asked);
}

#[tokio::test]
async fn servers_that_fail_or_keep_silent_are_not_believed() {
    let server = name_server().await;
    let names = names(vec![server.address]);
    assert_eq!(resolve(&names, "broken.test").await, Err(Failure::NameLookup));
    assert_eq!(resolve(&names, "silent.test").await, Err(Failure::NameLookup));
}

#[tokio::test]
async fn literals_and_overrides_ask_nobody() {
    let names = names(vec!["127.0.0.1:9".parse().unwrap()]);
    assert_eq!(resolve(&names, "1.1.1.1").await, Ok(Target::fixed([1, 1, 1, 1].into(), None)));
    assert_eq!(resolve(&names, "169.254.169.254").await, Err(Failure::ForbiddenAddress));
    assert_eq!(resolve(&names, "[::1]:80").await, Err(Failure::ForbiddenAddress));
    assert_eq!(resolve(&names, "[::ffff:10.0.0.1]").await, Err(Failure::ForbiddenAddress));
    assert_eq!(resolve(&names, "good.test").await, Ok(Target::fixed([8, 8, 8, 8].into(), None)));
    assert_eq!(resolve(&names, "over.test").await, Err(Failure::ForbiddenAddress));
}

#[tokio::test]
async fn local_names_are_guarded_like_any_other() {
    let names = names(vec!["127.0.0.1:9".parse().unwrap()]);
    let failure = resolve(&names, "localhost").await.unwrap_err();
    assert_eq!(failure, Failure::ForbiddenAddress);
}
