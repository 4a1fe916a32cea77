"""The server: an index to ask and a result to browse, over HTTP and in the browser."""
