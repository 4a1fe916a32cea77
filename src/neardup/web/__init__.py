"""What is shown in a browser: pages that need nothing else, and the plots on them."""
