"""A server of our own, and archives for it to serve."""

import io
import tarfile
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

TEXT = b"1 Mary moved to the office.\n"
"""What a file holds of which nothing else is said."""


def tar(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for info, data in members:
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def member(name: str, data: bytes = TEXT, **fields) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    for field, value in fields.items():
        setattr(info, field, value)
    return info, data


class Server:
    """Answers each request with the next reply of its list, the last one for ever."""

    def __init__(self) -> None:
        self.replies: list[tuple[int, bytes, int]] = []
        self.asked: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.path)
                replies = outer.replies
                status, body, said = replies.pop(0) if len(replies) > 1 else replies[0]
                self.send_response(status)
                self.send_header("Content-Length", str(said))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def address(self, name: str = "set.tar.gz") -> str:
        return f"http://127.0.0.1:{self._server.server_port}/{name}"

    def reply(self, *replies: bytes | int) -> None:
        self.replies = [
            (200, reply, len(reply)) if isinstance(reply, bytes) else (reply, b"", 0)
            for reply in replies
        ]

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
