"""What a process does beside answering: reads upstreams, embeds texts, beats, hears the news."""
