/** A JSON text that was printed elsewhere, for lists so large that printing them again would cost. */
export class RawJson {
  readonly text: string | Buffer
  constructor(text: string | Buffer) {
    this.text = text
  }
}

/** A file that is made while it is sent. */
export class FileStream {
  readonly name: string
  readonly contentType: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** @param name may hold anything; what a header cannot carry is left out of the plain form of it */
  constructor(name: string, contentType: string, chunks: AsyncIterable<Uint8Array>) {
    this.name = name
    this.contentType = contentType
    this.chunks = chunks
  }
}

/** Bytes that lie ready, with everything that is said of them; null for an answer without a body. */
export class StoredBytes {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly chunks: AsyncIterable<Uint8Array> | null
  constructor(status: number, headers: { readonly [name: string]: string }, chunks: AsyncIterable<Uint8Array> | null) {
    this.status = status
    this.headers = headers
    this.chunks = chunks
  }
}

/** An answer with a status or headers of its own. */
export class Reply<R> {
  readonly status: number
  readonly body: R | RawJson
  readonly headers: { readonly [name: string]: string | string[] }
  constructor(status: number, body: R | RawJson, headers: { readonly [name: string]: string | string[] }) {
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** What a handler may return: the body, the body already printed, or either with a status and headers. */
export type Answer<R> = R | RawJson | FileStream | StoredBytes | Reply<R>

/** JSON that is sent as it is; the caller vouches for its shape. */
export const rawJson = (text: string | Buffer): RawJson => new RawJson(text)

/** Answers with another one of the endpoint's `successes`, or with headers. */
export const reply = <R>(
  status: number,
  body: R | RawJson,
  headers: { readonly [name: string]: string | string[] } = {},
): Reply<R> => new Reply(status, body, headers)
