import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { bootServer } from '@postil/testkit/boot.ts'
import { expect, it, onTestFinished } from 'vitest'
import { rawConnection } from '#platform/http/testing/raw.ts'

const SIZE = 990_000_000_000
const { bavail, bsize } = statfsSync(tmpdir())

it.skipIf(bavail * bsize > SIZE)(
  'a file that is announced with more bytes than the disk has is refused before it is sent',
  async () => {
    const server = await bootServer({ env: { POSTIL_MAX_IMPORT_FILE: '1000GB' } })
    onTestFinished(() => server.close())
    const dataset = await server.createDataset()
    const begun = await server.clientFor(server.owner).post('/me/imports/uploads', { name: 'rows.csv', size: SIZE })
    const detail = expect.stringMatching(
      /^The file has 990000000000 bytes, and the disk that holds the upload folder has space for \d+\. /,
    )
    expect([begun.status, begun.body]).toEqual([503, { detail }])
    for (const path of [`/datasets/${dataset.id}/imports/files`, '/me/imports/files']) {
      const connection = await rawConnection(server.url)
      const lines = [
        `POST /api/v1${path}?name=rows.csv HTTP/1.1`,
        'host: localhost',
        `x-argilla-api-key: ${server.owner.api_key}`,
        `content-length: ${SIZE}`,
      ]
      connection.send(`${lines.join('\r\n')}\r\n\r\n`)
      expect(await connection.until((text) => text.includes('detail'))).toMatch(/^HTTP\/1\.1 503[\s\S]*space for/)
      connection.end()
    }
  },
)
