//! What a process used: processor time and memory, as the kernel counts them.

use std::fs;
use std::time::Duration;

use anyhow::Context;

/// Processor time of this process and of the children it has waited for.
#[derive(Clone, Copy, Debug)]
pub(super) struct CpuTime {
    pub(super) own: Duration,
    pub(super) children: Duration,
}

/// Processor time so far.
pub(super) fn cpu_time() -> anyhow::Result<CpuTime> {
    let stat =
        fs::read_to_string("/proc/self/stat").context("processor time needs Linux's /proc")?;
    // The name in parentheses may hold anything; fields are counted from behind it.
    let (_, fields) = stat.rsplit_once(')').context("/proc/self/stat is not as expected")?;
    let ticks: Vec<u64> =
        fields.split_whitespace().skip(11).take(4).map(str::parse).collect::<Result<_, _>>()?;
    let [user, system, child_user, child_system] = ticks[..] else {
        anyhow::bail!("/proc/self/stat is not as expected");
    };
    let per_second = rustix::param::clock_ticks_per_second();
    let duration = |ticks: u64| Duration::from_secs_f64(ticks as f64 / per_second as f64);
    Ok(CpuTime { own: duration(user + system), children: duration(child_user + child_system) })
}

/// The most memory this process ever used, in bytes.
pub(super) fn peak_memory() -> anyhow::Result<u64> {
    memory("VmHWM:")
}

/// The memory this process uses now, in bytes.
pub(super) fn memory_now() -> anyhow::Result<u64> {
    memory("VmRSS:")
}

fn memory(field: &str) -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status").context("memory needs Linux's /proc")?;
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let kilobytes: u64 = line
        .and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok())
        .context("/proc/self/status is not as expected")?;
    Ok(kilobytes << 10)
}
