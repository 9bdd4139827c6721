import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { conflict, unprocessable } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import { makeFolder } from '#platform/files/make-folder.ts'

/** Who writes a file: one at a time, and whoever comes last, because an earlier connection may be dead without knowing it. */
type Writer = { isOver: boolean; writing: Promise<unknown> }
const writers = new Map<string, Writer>()

/** Ends whoever writes the file; what they have written stays. */
export const takeOver = async (path: string): Promise<void> => {
  const writer = writers.get(path)
  if (writer === undefined) return
  writer.isOver = true
  await writer.writing.catch(() => undefined)
}

/** Makes the empty file that parts are written to. */
export const makePartFile = async (path: string): Promise<void> => {
  makeFolder(dirname(path))
  await (await open(path, 'wx', 0o600)).close()
}

/** Bytes that are there; null when the file is not. */
export const receivedOf = async (path: string): Promise<number | null> => (await stat(path).catch(() => null))?.size ?? null

const writeAll = async (file: FileHandle, bytes: Uint8Array, at: number): Promise<void> => {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}

type Part = {
  /** Place of its first byte. */
  readonly at: number
  /** Bytes of the whole file. */
  readonly size: number
  readonly chunks: AsyncIterable<Uint8Array>
}

/**
 * Writes the next part of a file as it arrives; what has arrived stays when the rest does not. When this returns, it survives a loss of power.
 * @returns bytes that are there
 * @throws Problem conflict when the part does not begin where the file ends, or another request goes on with it; unprocessable when it leads
 * beyond the file's size
 */
export const writePart = async (path: string, { at, size, chunks }: Part): Promise<number> => {
  await takeOver(path)
  const writer: Writer = { isOver: false, writing: Promise.resolve() }
  writers.set(path, writer)
  const file = await open(path, 'r+')
  try {
    const received = (await file.stat()).size
    if (received !== at) throw conflict(`The next part begins with byte ${received}, not with byte ${at}`)
    let next = at
    for await (const chunk of chunks) {
      if (writer.isOver) throw conflict(sayRefusal('fileBusy'))
      if (next + chunk.length > size)
        throw unprocessable(`The part leads beyond the ${size} bytes that the file was announced with`)
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
