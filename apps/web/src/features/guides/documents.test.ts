import { expect, test } from 'vitest'
import { documents, joinLines, loadDocument, splitTitle, withPageLinks } from './documents.ts'

test('every listed page exists and has a title', async () => {
  for (const name of documents) expect(splitTitle(await loadDocument(name)).title).not.toBe('')
})

test('links lead to other pages, and links to files that are not shown become text', () => {
  const text = '[A](search.md), [B](security.md#keys), [C](decisions/0011-hub.md), [D](#here), [E](https://example.com/a.md)'
  expect(withPageLinks(text, (name) => `/guides/${name}`)).toBe(
    '[A](/guides/search), [B](/guides/security), C, D, [E](https://example.com/a.md)',
  )
})

test('joins the lines of paragraphs and list items, but not those of tables and code', () => {
  const blocks = [
    ['# Title', '# Title'],
    ['One\nparagraph.', 'One paragraph.'],
    ['- An item\n  of two lines\n- Another', '- An item of two lines\n- Another'],
    ['| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |\n|---|---|\n| 1 | 2 |'],
    ['```\none\ntwo\n```', '```\none\ntwo\n```'],
    ['The\nend.', 'The end.'],
  ]
  const text = (at: 0 | 1) => blocks.map((block) => block[at]).join('\n\n')
  expect(joinLines(text(0))).toBe(text(1))
})
