import { inflateSync } from 'node:zlib'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fitLetters, lettersFor, widthOf } from './letters.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer({ env: { ARGILLA_ENABLE_SHARE_YOUR_PROGRESS: 'true', POSTIL_BASE_URL: '/team/' } })
})
afterAll(() => server?.close())

const dataset_id = '0190a5f0-0000-7000-8000-000000000001'
const given = { dataset_name: 'Reviews', dataset_id, user_name: 'ann', team_progress: '42.5', records_submitted: '20' }
const address = (query: { readonly [name: string]: string }, imagePath = '', from = server) =>
  `${from.url}/share-your-progress${imagePath}?${new URLSearchParams(query)}`
const page = async (query: { readonly [name: string]: string }) => {
  const answer = await fetch(address(query))
  return { answer, html: await answer.text() }
}

describe('the page of a shared link', () => {
  it('describes the shared progress and continues to the dataset', async () => {
    const { answer, html } = await page(given)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('<meta property="og:title" content="Reviews">')
    expect(html).toContain('<meta name="twitter:title" content="Reviews">')
    expect(html).toContain('content="20 records submitted by ann. Team progress: 42.5%."')
    expect(html).toContain(`href="/team/dataset/${dataset_id}/annotation-mode"`)
    expect(html).toContain('location.replace(')
    const imagePath = /og:image" content="([^"]+)"/.exec(html)?.[1]?.replaceAll('&#38;', '&').replaceAll('&#61;', '=') ?? ''
    expect(imagePath).toBe(address(given, '/card.png'))
    expect((await fetch(imagePath)).status).toBe(200)
  })

  it('runs no script but its own and loads nothing', async () => {
    const policy = (await page(given)).answer.headers.get('content-security-policy')
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    )
  })

  it('escapes text from users', async () => {
    const evil = `"><script>alert(1)</script><a href='javascript:x' onload=\`x\`>&amp;`
    const { html } = await page({ ...given, dataset_name: evil, user_name: evil })
    expect(html.match(/<script>/g)).toHaveLength(1)
    expect(html).not.toContain("<a href='")
    expect(html.match(/<a /g)).toHaveLength(1)
    expect(html).toContain('&#34;&#62;&#60;script&#62;alert(1)')
    expect(html).toContain('&#38;amp;')
  })

  it('rejects invalid dataset IDs and numbers, and limits the rest', async () => {
    for (const wrong of [
      { dataset_id: '../../x' },
      { dataset_id: 'javascript:alert(1)' },
      { team_progress: 'much' },
      { team_progress: '-1' },
      { records_submitted: '1e9' },
    ]) {
      expect((await fetch(address({ ...given, ...wrong }))).status).toBe(422)
      expect((await fetch(address({ ...given, ...wrong }, '/card.png'))).status).toBe(422)
    }
    for (const missing of ['dataset_id', 'dataset_name', 'user_name']) {
      const { [missing]: _, ...rest } = { ...given } as { [name: string]: string }
      expect((await fetch(address(rest))).status).toBe(422)
    }
    const { html } = await page({ dataset_id, dataset_name: `a\u202eb\n${'x'.repeat(300)}`, user_name: '', team_progress: '400' })
    expect(html).toContain('Team progress: 100%.')
    expect(html).toContain('0 records submitted.')
    expect(html).toMatch(/<title>a b x{196}…<\/title>/)
  })

  it('exists only if the operator enables it', async () => {
    const without = await bootServer()
    expect((await fetch(address(given, '', without))).headers.get('content-type')).not.toContain('text/html')
    expect((await fetch(address(given, '/card.png', without))).headers.get('content-type')).not.toContain('image')
    await without.close()
  })
})

/** Reads a PNG's width, height, and pixels as indexes into its palette. */
const readPng = (bytes: Buffer) => {
  expect(bytes.subarray(1, 4).toString()).toBe('PNG')
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const at = bytes.indexOf('IDAT')
  const rows = inflateSync(bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at - 4)))
  return { width, height, dot: (x: number, y: number) => rows[y * (width + 1) + 1 + x] }
}
const imagePath = async (query: { readonly [name: string]: string }) => {
  const answer = await fetch(address(query, '/card.png'))
  return { answer, png: readPng(Buffer.from(await answer.arrayBuffer())) }
}

describe('its preview image', () => {
  it('is a PNG in link preview size whose bar matches the progress', async () => {
    const { answer, png } = await imagePath(given)
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    expect([png.width, png.height]).toEqual([1200, 630])
    const bar = Array.from({ length: 1024 }, (_, x) => png.dot(88 + x, 478))
    const full = bar.filter((dot) => dot === bar[20]).length
    expect(full / 1024).toBeCloseTo(0.425, 1)
    expect(new Set((await Promise.all([imagePath(given), imagePath(given)])).map(({ png: one }) => one.width))).toEqual(
      new Set([1200]),
    )
  })

  it('is drawn for names in other scripts, for very long names and without a name', async () => {
    for (const dataset_name of ['评论', 'x'.repeat(5000), '', '🙂']) {
      const { answer } = await imagePath({ ...given, dataset_name, user_name: dataset_name, team_progress: '0' })
      expect(answer.status).toBe(200)
    }
  })
})

it('glyphs exist for European names, and text is truncated to the available width', () => {
  expect(lettersFor('note', 'Łódź, Größe – Çelik “ñ” 100 %')).not.toBeNull()
  expect(lettersFor('title', '评论')).toBeNull()
  const cut = fitLetters('title', 'w'.repeat(100), 500) ?? []
  expect(widthOf(cut)).toBeLessThanOrEqual(500)
  expect(widthOf(cut)).toBeGreaterThan(400)
})
