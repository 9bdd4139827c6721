import { cpuTimeOf } from '@postil/testkit/cpu-time.ts'
import { expect, test } from 'vitest'
import { looksLikeHtml } from './looks-like-html.ts'

test.each(['<p>words</p>', 'before <DIV class="a">\nin\n</div > after', '<custom-tag>x</custom-tag>', '<a><b></a>'])(
  '%s is HTML',
  (text) => expect(looksLikeHtml(text)).toBe(true),
)

test.each(['a < b and c > d', '<p>never closed', '</p>closed first<p>', '<br>', '<b>x</i>', '< p>x</p>', '<3 you </3>'])(
  '%s is text',
  (text) => expect(looksLikeHtml(text)).toBe(false),
)

test('many unclosed tags are checked quickly', () => {
  const used = cpuTimeOf(() => {
    for (let i = 0; i < 20; i++) expect(looksLikeHtml('<a>'.repeat(10_000))).toBe(false)
  })
  expect(used).toBeLessThan(4000)
})
