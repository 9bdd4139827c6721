import { expect, test } from 'vitest'
import { parseMarkdown } from './parse.ts'

test('formulas on lines of their own lose the blanks around them', () => {
  expect(parseMarkdown('$$\n  x^2 + 1 \n$$')).toBe('<pre class="math-display"><code>x^2 + 1</code></pre>')
  expect(parseMarkdown('$$x$$\nafter')).toContain('<code>x</code></pre><p>after</p>')
})

test('a formula with words beside it stays in its paragraph', () => {
  expect(parseMarkdown('text $$y^2$$ end')).toBe('<p>text <code class="math-display">y^2</code> end</p>\n')
  expect(parseMarkdown('$$\\int_0^1 x dx$$ inline $a^2$')).toBe(
    '<p><code class="math-display">\\int_0^1 x dx</code> inline <code class="math-inline">a^2</code></p>\n',
  )
  expect(parseMarkdown('at its end: $$x$$\n$$y$$\nafter')).toBe(
    '<p>at its end: <code class="math-display">x</code></p>\n<pre class="math-display"><code>y</code></pre><p>after</p>\n',
  )
  expect(parseMarkdown('from $$5 to $$6')).toBe('<p>from $$5 to $$6</p>\n')
})

test('signs of a formula with nothing between them, or without an end, are text', () => {
  expect(parseMarkdown('$$  $$')).not.toContain('math')
  expect(parseMarkdown('$$ x')).not.toContain('math')
})

test('a formula that never ends takes no time, however many blanks it has', () => {
  const began = performance.now()
  for (let i = 0; i < 20; i++) expect(parseMarkdown(`$$${' '.repeat(900)}x`)).not.toContain('math')
  expect(performance.now() - began).toBeLessThan(2000)
})

test.each([
  ['blanks', `a${' '.repeat(300_000)}x`],
  ['signs', '$'.repeat(300_000)],
  ['quotes in quotes', '>'.repeat(30_000)],
  ['lists in lists', `${'- '.repeat(9000)}x`],
  ['an address that never ends', `${'a'.repeat(300_000)}@`],
])('%s without end are shown as they are written, and take no time', (_, text) => {
  const began = performance.now()
  expect(parseMarkdown(`# Title\n${text}`)).toContain(text.replaceAll('>', '&gt;'))
  expect(performance.now() - began).toBeLessThan(2000)
})

test.each([
  ['marks that open', '__a b_\n'.repeat(15_000)],
  ['marks behind what looks like HTML', `<x ${'__a b_ '.repeat(15_000)}`],
  ['lines that may begin a table', 'a\n--\n'.repeat(40_000)],
])('%s, too many without a blank line, are shown as they are written', (_, text) => {
  const began = performance.now()
  expect(parseMarkdown(text).replace(/<br>|<\/?p>/g, '')).not.toContain('<')
  expect(performance.now() - began).toBeLessThan(2000)
})

test('a long text of many marks that close, or are none, is read', () => {
  const text = 'a name_of_it for $5 with **one** word in bold\n'.repeat(2000)
  expect(parseMarkdown(text).match(/<strong>one<\/strong>/g)).toHaveLength(2000)
})

test('long lines of code, of HTML and of files in the text are markdown all the same', () => {
  const long = 'word '.repeat(6000)
  for (const text of [`\`\`\`\n${long}\n\`\`\``, `<div>${long}</div>`, `![a](data:image/png;base64,${'A'.repeat(30_000)})`])
    expect(parseMarkdown(`# Title\n\n${text}`)).toContain('<h1>Title</h1>')
})

test('an item that is a task says so, whether or not its list has blank lines', () => {
  expect(parseMarkdown('- [ ] open\n- [x] done\n- plain')).toBe(
    '<ul>\n<li class="task">☐ open</li>\n<li class="task">☑ done</li>\n<li>plain</li>\n</ul>\n',
  )
  expect(parseMarkdown('- [ ] open\n\n- [x] done').match(/<li class="task">\s*<p>[☐☑] /g)).toHaveLength(2)
})
