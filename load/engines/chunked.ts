type Place = 'size' | 'extension' | 'data' | 'data-end' | 'trailer';

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Parses a chunked body piece by piece, without joining it. */
export class ChunkedReader {
  #place: Place = 'size';
  #left = 0;
  #digits = 0;
  #lineLength = 0;

  reset(): void {
    this.#place = 'size';
    this.#left = this.#digits = this.#lineLength = 0;
  }

  /** Passes each range of data in `bytes[from, to)` to `onData`; returns where the body ended, -1 when it goes on, -2 when it is malformed. */
  read(bytes: Buffer, from: number, to: number, onData?: (start: number, end: number) => void): number {
    let at = from;
    while (at < to) {
      if (this.#place === 'data') {
        const end = Math.min(to, at + this.#left);
        onData?.(at, end);
        this.#left -= end - at;
        at = end;
        if (this.#left === 0) this.#place = 'data-end';
        continue;
      }
      const outcome = this.#byte(bytes[at] as number);
      at += 1;
      if (outcome === 'end') return at;
      if (outcome === 'broken') return -2;
    }
    return -1;
  }

  #byte(byte: number): 'on' | 'end' | 'broken' {
    if (this.#place === 'trailer') return this.#trailer(byte);
    if (this.#place === 'data-end') {
      if (byte === 10) this.#place = 'size';
      return byte === 10 || byte === 13 ? 'on' : 'broken';
    }
    if (byte === 10) return this.#sizeLineEnded();
    if (this.#place === 'extension' || byte === 13) return 'on';
    const digit = hexDigit(byte);
    if (digit >= 0) {
      this.#left = this.#left * 16 + digit;
      this.#digits += 1;
      return this.#digits > 12 ? 'broken' : 'on';
    }
    this.#place = 'extension';
    return byte === 59 || byte === 32 ? 'on' : 'broken';
  }

  #sizeLineEnded(): 'on' | 'broken' {
    if (this.#digits === 0) return 'broken';
    this.#digits = 0;
    this.#place = this.#left > 0 ? 'data' : 'trailer';
    this.#lineLength = 0;
    return 'on';
  }

  #trailer(byte: number): 'on' | 'end' {
    if (byte === 13) return 'on';
    const isEnd = byte === 10 && this.#lineLength === 0;
    this.#lineLength = byte === 10 ? 0 : this.#lineLength + 1;
    return isEnd ? 'end' : 'on';
  }
}
