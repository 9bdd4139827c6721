import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { asUtf8, checkedText, isUtf16 } from './utf8.ts'

/**
 * Looks through a file for bytes that are no text in UTF-8. One in UTF-16 is written anew.
 * @param spare where to
 * @returns the bytes of the new one; null where there is none
 * @throws Problem unprocessable
 */
export const checkTextFile = async (path: string, spare: string): Promise<number | null> => {
  const file = await open(path, 'r')
  const { buffer: head } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close())
  const text = () => checkedText(asUtf8(createReadStream(path)))
  if (!isUtf16(head)) {
    for await (const _ of text());
    return null
  }
  const copy = await open(spare, 'w', 0o600)
  try {
    let bytes = 0
    for await (const chunk of text()) {
      await copy.writeFile(chunk)
      bytes += chunk.length
    }
    await copy.sync()
    return bytes
  } finally {
    await copy.close()
  }
}
