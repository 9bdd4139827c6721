/** JSON that is already serialized, for lists that are too large to serialize again. */
export class RawJson {
  readonly text: string | Buffer
  constructor(text: string | Buffer) {
    this.text = text
  }
}

/** JSON that is serialized while it is sent, for answers that are too large for one string. */
export class JsonStream {
  readonly chunks: AsyncIterable<Uint8Array>
  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.chunks = chunks
  }
}

/** A file that is generated while it is sent. */
export class FileStream {
  readonly name: string
  readonly contentType: string
  readonly chunks: AsyncIterable<Uint8Array>
  /**
   * @param name any text. The response header contains it twice: exactly in `filename*`, and with unusual characters replaced in
   * `filename`
   */
  constructor(name: string, contentType: string, chunks: AsyncIterable<Uint8Array>) {
    this.name = name
    this.contentType = contentType
    this.chunks = chunks
  }
}

/** A response whose body comes from storage, with its own status and headers. `chunks` is null for a response without a body. */
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

/** A response with its own status or headers. */
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

/** What a handler may return: the body, a serialized body, or either with a status and headers. */
export type Answer<R> = R | RawJson | JsonStream | FileStream | StoredBytes | Reply<R>

/** JSON that is sent unchanged. The caller guarantees its shape. */
export const rawJson = (text: string | Buffer): RawJson => new RawJson(text)

/** A response with headers, or with one of the endpoint's other success statuses (`successes`). */
export const reply = <R>(
  status: number,
  body: R | RawJson,
  headers: { readonly [name: string]: string | string[] } = {},
): Reply<R> => new Reply(status, body, headers)
