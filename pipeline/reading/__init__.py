"""From transcripts to windows: what is unread, cleaned of machine text, cut to what one call sees."""
