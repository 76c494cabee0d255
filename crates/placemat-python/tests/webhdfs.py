"""A WebHDFS server of a local folder, as far as fsspec uses one."""

import contextlib
import http.server
import json
import os
import threading
import urllib.parse


@contextlib.contextmanager
def served(folder, refused=None):
    """Serve `folder`, but list no folder with the name `refused`. Yields the URL."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def answer_any(self):
            url = urllib.parse.urlsplit(self.path)
            options = dict(urllib.parse.parse_qsl(url.query))
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.answer(options["op"], folder + urllib.parse.unquote(url.path).removeprefix("/webhdfs/v1"), options, body)

        do_GET = do_PUT = do_POST = do_DELETE = answer_any

        def answer(self, op, path, options, body):
            if op in ("CREATE", "APPEND"):
                if "data" not in options:
                    # Data goes to another server.
                    return self.send(307, where=f"http://127.0.0.1:{server.server_port}{self.path}&data=true")
                with open(path, "wb" if op == "CREATE" else "ab") as file:
                    file.write(body)
                return self.send(200)
            if op == "MKDIRS":
                os.makedirs(path, exist_ok=True)
                return self.send(200, {"boolean": True})
            if not os.path.exists(path):
                return self.fail(404, "FileNotFoundException")
            if op == "LISTSTATUS" and os.path.basename(path) == refused:
                return self.fail(403, "AccessControlException")
            if op == "LISTSTATUS":
                return self.send(200, {"FileStatuses": {"FileStatus": [status(path, name) for name in os.listdir(path)]}})
            if op == "GETFILESTATUS":
                return self.send(200, {"FileStatus": status(path)})
            if op == "OPEN":
                with open(path, "rb") as file:
                    file.seek(int(options["offset"]))
                    return self.send(200, file.read(int(options["length"])))
            if op == "RENAME":
                os.rename(path, folder + options["destination"])
            if op == "DELETE":
                os.unlink(path)
            return self.send(200, {"boolean": True})

        def fail(self, code, kind):
            self.send(code, {"RemoteException": {"exception": kind, "message": kind}})

        def send(self, code, what=b"", where=None):
            data = what if isinstance(what, bytes) else json.dumps(what).encode()
            self.send_response(code)
            self.send_header("Content-Length", str(len(data)))
            if where:
                self.send_header("Location", where)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"webhdfs://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def status(path, name=""):
    path = os.path.join(path, name) if name else path
    return {"pathSuffix": name, "type": "DIRECTORY" if os.path.isdir(path) else "FILE", "length": os.path.getsize(path)}
