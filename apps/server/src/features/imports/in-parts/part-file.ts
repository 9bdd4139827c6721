import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { conflict, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { makeFolder } from '#platform/files/make-folder.ts'

/**
 * The current writer of a file. A new writer replaces it, because an earlier connection may have died without the server
 * noticing.
 */
type Writer = { isOver: boolean; writing: Promise<unknown> }
const writers = new Map<string, Writer>()

/** Stops the current writer of the file. The bytes it has written are kept. */
export const takeOver = async (path: string): Promise<void> => {
  const writer = writers.get(path)
  if (writer === undefined) return
  writer.isOver = true
  await writer.writing.catch(() => undefined)
}

/** Creates the empty file that parts are written to. */
export const makePartFile = async (path: string): Promise<void> => {
  makeFolder(dirname(path))
  await (await open(path, 'wx', 0o600)).close()
}

/** Bytes received; null if the file doesn't exist. */
export const receivedOf = async (path: string): Promise<number | null> => (await stat(path).catch(() => null))?.size ?? null

const writeAll = async (file: FileHandle, bytes: Uint8Array, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

type Part = {
  /** Offset of the part's first byte. */
  readonly at: number
  /** Size of the whole file in bytes. */
  readonly size: number
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Writes the next part of a file as it arrives. Received bytes are kept even if the rest doesn't arrive. Once the function
 * returns, the received bytes survive a power loss.
 * @returns the number of bytes received
 * @throws Problem conflict when the part doesn't begin where the file ends, or another request took over; unprocessable when the
 * part exceeds the file's size
 */
export const writePart = async (path: string, { at, size, chunks }: Part): Promise<number> => {
  await takeOver(path)
  const writer: Writer = { isOver: false, writing: Promise.resolve() }
  writers.set(path, writer)
  const file = await open(path, 'r+')
  try {
    const received = (await file.stat()).size
    if (received !== at) throw conflict(`The next part must start at byte ${received}, not at byte ${at}`)
    let next = at
    for await (const chunk of chunks) {
      if (writer.isOver) throw conflict(message('fileBusy'))
      if (next + chunk.length > size) throw unprocessable(`The part exceeds the announced file size of ${size} bytes`)
      writer.writing = writeAll(file, chunk, next)
      await writer.writing
      next += chunk.length
    }
    return next
  } finally {
    await file.sync()
    await file.close()
    if (writers.get(path) === writer) writers.delete(path)
  }
}
