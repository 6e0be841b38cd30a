"""Lines as NCCL prints them under `NCCL_DEBUG=INFO`, of ranks on nodes of eight GPUs."""

from __future__ import annotations


def front(rank: int) -> str:
    return f"gpu{rank // 8}:{1000 + rank}:{5000 + rank} [{rank % 8}] NCCL INFO "


def init(rank: int, size: int, comm: str = "0xaa", what: str = "START", *, member: int | None = None) -> str:
    place = rank if member is None else member
    return (
        f"{front(rank)}ncclCommInitRank comm 0x55{comm[2:]}{rank:04x} rank {place} nranks {size} cudaDev {rank % 8} nvmlDev {rank % 8} "
        f"busId {rank % 8:x}b000 commId {comm} - Init {what}\n"
    )


def ready(size: int) -> str:
    return "".join(init(rank, size, what=what) for what in ("START", "COMPLETE") for rank in range(size))


def call(rank: int, number: int, size: int, name: str = "AllReduce", comm: str = "0xaa") -> str:
    return (
        f"{front(rank)}{name}: opCount {number:x} sendbuff 0x7f3000000000 recvbuff 0x7f3000000000 count 1024 datatype 7 op 0 root 0 "
        f"comm 0x55{comm[2:]}{rank:04x} [nranks={size}] stream 0x5600{rank:04x}\n"
    )
