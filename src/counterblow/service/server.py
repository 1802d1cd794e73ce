"""Starting and stopping the service on this machine."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from contextlib import closing
from pathlib import Path

import uvicorn

from counterblow.kernel.build import how_built
from counterblow.service import protocol
from counterblow.service.app import create_app
from counterblow.service.backup import backup, restore
from counterblow.service.database import open_database
from counterblow.service.engine import DATA_VARIABLE, Engine, Settings, default_data_dir
from counterblow.service.limits import PUBLIC, Limits
from counterblow.service.watch import log_lines

MAIL_VARIABLE = "COUNTERBLOW_SMTP"  # smtp://user:password@host:587?from=address
ADDRESS_VARIABLE = "COUNTERBLOW_ADDRESS"  # where people find this server: https://example.org/
DEFAULT_PORT = 8041
PORTS_TRIED = 20
DRAIN_SECONDS = 10  # for requests that are under way when the server is told to stop
KEEP_SECONDS = 75  # longer than a proxy keeps an idle connection (60 s): who closes it should be who would use it
COLLECT = (20_000, 50, 100)  # rubbish is sought seldom: a view is thousands of objects, all gone as soon as it is sent
LOOPBACK = ("127.0.0.1", "localhost", "::1")


class _Server(uvicorn.Server):
    """Prints the address, and opens it, when the server listens."""

    def __init__(self, config: uvicorn.Config, address: str, data_dir: Path, open_browser: bool) -> None:
        super().__init__(config)
        self.address = address
        self.data_dir = data_dir
        self.open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(
                f"Counterblow is at {self.address}\nMatches are kept in {self.data_dir}\n"
                f"It runs with {how_built()}. Ctrl-C stops it.",
                flush=True,
            )
            if self.open_browser and _has_browser():
                threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()


def run(
    host: str = "127.0.0.1",
    port: int = DEFAULT_PORT,
    data_dir: str | Path | None = None,
    open_browser: bool = True,
    hosts: tuple[str, ...] | None = None,
    proxies: tuple[str, ...] = (),
    database: str | None = None,
    workers: int = 1,
    metrics: bool = False,
    json_log: bool = False,
    limits: Limits | None = None,
) -> None:
    """Serve until Ctrl-C. If the port is taken, another one is chosen.

    ``hosts`` are the names under which the server may be addressed; on a loopback address only the machine's own.
    ``proxies`` are the addresses whose word is taken for who asks. Where others can reach it, addresses have limits.
    """
    folder = data_folder(data_dir)
    names = hosts if hosts is not None else LOOPBACK if host in LOOPBACK else None
    alone = host in LOOPBACK and not proxies
    chosen = limits or (Limits() if alone else PUBLIC)
    mail, address = os.environ.get(MAIL_VARIABLE), os.environ.get(ADDRESS_VARIABLE)
    settings = Settings(folder, database, names, proxies, chosen, mail, address, metrics, workers)
    if json_log:
        log_lines()
    serve(settings, host, port, open_browser)


def data_folder(chosen: str | Path | None) -> Path:
    return Path(chosen or os.environ.get(DATA_VARIABLE) or default_data_dir()).expanduser().resolve()


def run_worker(data_dir: Path | None, database: str | None, workers: int) -> None:
    """Think for computer players until Ctrl-C or SIGTERM."""
    mail, address = os.environ.get(MAIL_VARIABLE), os.environ.get(ADDRESS_VARIABLE)
    settings = Settings(data_folder(data_dir), database, smtp=mail, address=address, workers=workers)
    asyncio.run(work(settings))


def back_up(file: Path, data_dir: Path | None, database: str | None) -> int:
    with closing(open_database(database or data_folder(data_dir))) as opened:
        return backup(opened, file)


def put_back(file: Path, data_dir: Path | None, database: str | None) -> int:
    with closing(open_database(database or data_folder(data_dir))) as opened:
        return restore(opened, file)


async def work(settings: Settings) -> None:
    engine, stop = Engine(settings), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await engine.open()
    print(f"Thinking for the computer players of {engine.table.store.database.where}\nCtrl-C stops it.", flush=True)
    await stop.wait()
    await engine.close()


def serve(settings: Settings, host: str, port: int, open_browser: bool) -> None:
    """Serve with these settings until Ctrl-C."""
    open_database(settings.where).close()  # what is wrong with it is said before anything else
    gc.set_threshold(*COLLECT)
    listener = _listen(host, port)
    shown = f"[{host}]" if ":" in host else "localhost" if host == "0.0.0.0" else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        server_header=False,
        ws_max_size=4096,
        ws_per_message_deflate=False,  # 400 connections took 28 MB instead of 51
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_keep_alive=KEEP_SECONDS,
        timeout_graceful_shutdown=DRAIN_SECONDS,
        log_config=None if logging.getLogger().handlers else uvicorn.config.LOGGING_CONFIG,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        **protocol.options(),
    )
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # after it has drained, and not without tidying up
    try:
        _Server(config, address, settings.data_dir, open_browser).run(sockets=[listener])
    except KeyboardInterrupt:
        pass
    finally:
        listener.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in (*range(port, min(port + PORTS_TRIED, 65536)), 0):
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # named, so that asyncio sets no-delay
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(128)
        except OSError as error:
            listener.close()
            failure = error
        else:
            return listener
    raise SystemExit(f"cannot listen on {host} port {port}: {failure.strerror}")


def _has_browser() -> bool:
    """Is there a screen for a browser? (On a terminal a text browser would take over.)"""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
