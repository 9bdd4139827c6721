import { Writable } from 'node:stream'

export type LogStream = {
  readonly stream: Writable
  /** Everything that was logged since the start or the last `clear`. */
  readonly text: () => string
  readonly clear: () => void
}

/** A stream that keeps what a server logs. */
export const logStream = (): LogStream => {
  let text = ''
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk)
      done()
    },
  })
  return {
    stream,
    text: () => text,
    clear: () => {
      text = ''
    },
  }
}
