"""A model hub on this machine that refuses what is asked."""
import http.server
import sys

STATUS, CODE = int(sys.argv[1]), sys.argv[2]


class Refuse(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(STATUS)
        if CODE != "-":
            self.send_header("X-Error-Code", CODE)
            self.send_header("X-Error-Message", "Access to this resource is restricted")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Refuse).serve_forever()
