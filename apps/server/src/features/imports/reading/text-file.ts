import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { TextDecoder } from 'node:util'
import type { Encoding } from '@postil/contract/files/encodings.ts'
import { Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { newId } from '#platform/ids.ts'
import { detectEncodings } from './detect-encoding.ts'
import { findUtf8Fault, refuseBinary, refuseFile } from './utf8.ts'

/**
 * A file as UTF-8 text. `end` is the size of the converted file in bytes, if the file had to be converted. `damagedAt` is the
 * position of the first invalid byte, if the file is damaged UTF-8. Invalid bytes are replaced in its converted copy.
 */
type TextFile = {
  readonly path: string
  readonly encoding: Encoding
  readonly end?: number
  readonly damagedAt?: number
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.size

/**
 * Converts a file to UTF-8, in chunks. In damaged UTF-8, invalid bytes become U+FFFD.
 * @returns the number of bytes written. @throws Problem unprocessable for invalid bytes in other encodings
 */
const convert = async (path: string, target: string, encoding: Encoding): Promise<number> => {
  const decoder = new TextDecoder(encoding, { fatal: encoding !== 'utf-8' })
  const draft = `${target}.${newId()}.part`
  const copy = await open(draft, 'w', 0o600)
  let [read, written] = [0, 0]
  const write = async (bytes?: Uint8Array): Promise<void> => {
    let text: string
    try {
      text = decoder.decode(bytes, { stream: bytes !== undefined })
    } catch {
      throw unprocessable(message('notInEncoding', { encoding, byte: read }))
    }
    const nul = text.indexOf('\0')
    if (nul !== -1) throw unprocessable(message('nulCharacter', { byte: read }))
    const sent = Buffer.from(text)
    await copy.writeFile(sent)
    written += sent.length
    read += bytes?.length ?? 0
  }
  try {
    for await (const chunk of createReadStream(path)) await write(chunk as Uint8Array)
    await write()
    await copy.sync()
    await copy.close()
    await rename(draft, target)
    return written
  } catch (error) {
    await copy.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * The position of the first byte of a text file that isn't valid UTF-8. Null if there is none.
 * @throws Problem unprocessable for a file that isn't text
 */
const damageOf = async (path: string): Promise<number | null> => {
  const file = await open(path, 'r')
  try {
    const { buffer: head } = await file.read(Buffer.alloc(8), 0, 8, 0)
    const fault = await findUtf8Fault(file)
    if (fault === null) return null
    refuseBinary(head)
    if (fault.kind === 'nulCharacter') throw refuseFile(fault)
    return fault.byte
  } finally {
    await file.close()
  }
}

const chosenEncoding = async (path: string, encoding: Encoding) => ({
  encodings: [encoding],
  damagedAt: encoding === 'utf-8' ? await damageOf(path) : null,
})

/**
 * Provides a file as UTF-8. A file in another encoding, or with invalid bytes, is converted.
 * @param chosen the encoding of the file. Default: detected
 * @param textPath returns the path of the file's UTF-8 copy, given the file's encoding
 * @throws Problem unprocessable for a file that isn't text in this encoding
 */
export const openText = async (path: string, textPath: (encoding: Encoding) => string, chosen?: Encoding): Promise<TextFile> => {
  const { encodings, damagedAt } = chosen === undefined ? await detectEncodings(path) : await chosenEncoding(path, chosen)
  let problem: unknown
  for (const encoding of encodings) {
    if (encoding === 'utf-8' && damagedAt === null) return { path, encoding }
    try {
      const target = textPath(encoding)
      const end = (await sizeOf(target)) ?? (await convert(path, target, encoding))
      return { path: target, encoding, end, ...(damagedAt !== null && { damagedAt }) }
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problem ??= error
    }
  }
  throw problem
}
