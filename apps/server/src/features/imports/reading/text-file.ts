import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { asUtf8, checkedText, isUtf16 } from './utf8.ts'

/**
 * Checks that a file is valid UTF-8. A UTF-16 file is converted to UTF-8.
 * @param rewrittenPath where the converted file is written
 * @returns the size of the converted file in bytes; null if the file was not converted
 * @throws Problem unprocessable
 */
export const checkTextFile = async (path: string, rewrittenPath: string): Promise<number | null> => {
  const file = await open(path, 'r')
  const { buffer: head } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close())
  const text = () => checkedText(asUtf8(createReadStream(path)))
  if (!isUtf16(head)) {
    for await (const _ of text());
    return null
  }
  const copy = await open(rewrittenPath, 'w', 0o600)
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
