import { cpuTimeOf } from '@postil/testkit/cpu-time.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseMarkdown } from './parse.ts'

/**
 * Stops the clock of the parser's time limit, because on a busy machine any text can exceed the limit. Tests of the limit
 * restore the clock.
 */
beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
})
afterEach(() => vi.restoreAllMocks())

test('formulas on their own lines are trimmed', () => {
  expect(parseMarkdown('$$\n  x^2 + 1 \n$$')).toBe('<pre class="math-display"><code>x^2 + 1</code></pre>')
  expect(parseMarkdown('$$x$$\nafter')).toContain('<code>x</code></pre><p>after</p>')
})

test('a formula next to other words stays in its paragraph', () => {
  expect(parseMarkdown('text $$y^2$$ end')).toBe('<p>text <code class="math-display">y^2</code> end</p>\n')
  expect(parseMarkdown('$$\\int_0^1 x dx$$ inline $a^2$')).toBe(
    '<p><code class="math-display">\\int_0^1 x dx</code> inline <code class="math-inline">a^2</code></p>\n',
  )
  expect(parseMarkdown('at its end: $$x$$\n$$y$$\nafter')).toBe(
    '<p>at its end: <code class="math-display">x</code></p>\n<pre class="math-display"><code>y</code></pre><p>after</p>\n',
  )
  expect(parseMarkdown('from $$5 to $$6')).toBe('<p>from $$5 to $$6</p>\n')
})

test('formula delimiters that are empty or unclosed are text', () => {
  expect(parseMarkdown('$$  $$')).not.toContain('math')
  expect(parseMarkdown('$$ x')).not.toContain('math')
})

test('an unclosed formula with many spaces is parsed quickly', () => {
  vi.restoreAllMocks()
  const used = cpuTimeOf(() => {
    for (let i = 0; i < 20; i++) expect(parseMarkdown(`$$${' '.repeat(900)}x`)).not.toContain('math')
  })
  expect(used).toBeLessThan(4000)
})

test.each([
  ['blanks', `a${' '.repeat(300_000)}x`],
  ['dollar signs', '$'.repeat(300_000)],
  ['nested quotes', '>'.repeat(30_000)],
  ['nested lists', `${'- '.repeat(9000)}x`],
  ['email addresses', `${'a'.repeat(300_000)}@`],
])('%s without an end are shown literally and parsed quickly', (_, text) => {
  vi.restoreAllMocks()
  const used = cpuTimeOf(() => expect(parseMarkdown(`# Title\n${text}`)).toContain(text.replaceAll('>', '&gt;')))
  expect(used).toBeLessThan(4000)
})

test.each([
  ['opening marks', '__a b_\n'.repeat(15_000)],
  ['marks after text that looks like HTML', `<x ${'__a b_ '.repeat(15_000)}`],
  ['lines that could start a table', 'a\n--\n'.repeat(40_000)],
])('%s, too many without a blank line, are shown literally', (_, text) => {
  vi.restoreAllMocks()
  const used = cpuTimeOf(() => expect(parseMarkdown(text).replace(/<br>|<\/?p>/g, '')).not.toContain('<'))
  expect(used).toBeLessThan(4000)
})

test('a long text with many closed or invalid markers is parsed', () => {
  const text = 'a name_of_it for $5 with **one** word in bold\n'.repeat(2000)
  expect(parseMarkdown(text).match(/<strong>one<\/strong>/g)).toHaveLength(2000)
})

test('long lines of code, HTML and embedded files are parsed as markdown', () => {
  const long = 'word '.repeat(6000)
  for (const text of [`\`\`\`\n${long}\n\`\`\``, `<div>${long}</div>`, `![a](data:image/png;base64,${'A'.repeat(30_000)})`])
    expect(parseMarkdown(`# Title\n\n${text}`)).toContain('<h1>Title</h1>')
})

test('a task item is marked as one, with or without blank lines in its list', () => {
  expect(parseMarkdown('- [ ] open\n- [x] done\n- plain')).toBe(
    '<ul>\n<li class="task">☐ open</li>\n<li class="task">☑ done</li>\n<li>plain</li>\n</ul>\n',
  )
  expect(parseMarkdown('- [ ] open\n\n- [x] done').match(/<li class="task">\s*<p>[☐☑] /g)).toHaveLength(2)
})
