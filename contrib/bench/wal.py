"""How many transactions SQLite's write-ahead log holds (https://www.sqlite.org/fileformat2.html#walformat)."""
import struct


def commits(path):
    """The log's salt, which changes when it begins anew, and the commits in it."""
    with open(path, "rb") as file:
        header = file.read(32)
        if len(header) < 32:
            return None, 0
        page_size = struct.unpack(">I", header[8:12])[0]
        salt = header[16:24]
        count = 0
        while len(frame := file.read(24)) == 24 and frame[8:16] == salt:
            # A frame that ends a transaction says how long the database then is.
            count += frame[4:8] != bytes(4)
            file.seek(page_size, 1)
        return salt, count
