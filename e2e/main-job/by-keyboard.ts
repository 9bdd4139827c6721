import type { Keyboard } from 'playwright-core'
import { ui } from '../harness/ui-text.ts'
import type { Annotator, Answer, JobRecord } from './data.ts'
import type { Range, Screen } from './screen.ts'
import type { Hands } from './work.ts'

type Keys = Pick<Keyboard, 'press' | 'type'>
type Desk = { readonly keys: Keys; readonly screen: Screen }

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Presses a key until something has the focus. */
const pressUntil = async ({ keys, screen }: Desk, key: string, wanted: string): Promise<void> => {
  for (let presses = 0; (await screen.focused()) !== wanted; presses += 1) {
    if (presses > 40) throw new Error(`${key} does not lead to “${wanted}”`)
    await keys.press(key)
  }
}

type Text = { readonly text: string; readonly words: readonly Range[] }

/** Presses the arrows that bring the cursor from one place of a text to a later one, word by word as far as that goes. */
const move = async ({ keys }: Desk, { text, words }: Text, from: number, to: number, shift: '' | 'Shift+'): Promise<void> => {
  let at = from
  while (at < to) {
    const word = words.find(({ end }) => end > at)?.end
    const isWord = word !== undefined && word <= to
    await keys.press(`${isWord ? 'Control+' : ''}${shift}ArrowRight`)
    at = isWord ? word : at + ([...characters.segment(text.slice(at))][0]?.segment.length ?? 1)
  }
}

/** UTF-16 units of a code point's place. */
const unitOf = (text: string, codePoint: number): number => [...text].slice(0, codePoint).join('').length

const mentions = async (desk: Desk, record: JobRecord, answer: Answer, labels: readonly string[]): Promise<void> => {
  const { keys, screen } = desk
  const text = record.fields.description
  const shown = { text, words: await screen.words(text) }
  await screen.isAtQuestion('mentions')
  await keys.press('Shift+Enter')
  await screen.isAt('[data-span-text]')
  let cursor = 0
  for (const { label, start, end } of answer.mentions) {
    const [from, to] = [unitOf(text, start), unitOf(text, end)]
    await move(desk, shown, cursor, from, '')
    await move(desk, shown, from, to, 'Shift+')
    await keys.press(String(labels.indexOf(label) + 1))
    cursor = to
  }
  await keys.press('Escape')
  await screen.isAtQuestion('mentions')
}

/** The digit of a label that one digit can name; others are looked for by their name. */
const digitOf = (options: readonly string[], value: string): string | null => {
  const number = options.indexOf(value) + 1
  return number >= 1 && number <= 9 ? String(number) : null
}

/** Types a label's name and takes what is found first. */
const lookUp = async ({ keys }: Desk, value: string): Promise<void> => {
  await keys.type(value)
  await keys.press(ui('features/guides:keys.key.enter'))
}

const section = async (desk: Desk, { section: value }: Answer, options: readonly string[]): Promise<void> => {
  const digit = digitOf(options, value)
  if (digit === null) await lookUp(desk, value)
  else await desk.keys.press(digit)
  // One label is all that is wanted: the next question follows by itself.
  await desk.screen.isAtQuestion('tags')
  await desk.screen.isPicked('section', value)
}

const tags = async (desk: Desk, answer: Answer, options: readonly string[]): Promise<void> => {
  for (const value of answer.tags) {
    const digit = digitOf(options, value)
    if (digit === null) await lookUp(desk, value)
    else await desk.keys.press(digit)
    await desk.screen.isPicked('tags', value)
    if (digit === null) await desk.keys.press('Escape')
    await desk.screen.isAtQuestion('tags')
  }
  await desk.keys.press('ArrowDown')
}

const summary = async ({ keys, screen }: Desk, { summary: text }: Answer): Promise<void> => {
  await screen.isAtQuestion('summary')
  await keys.press('Shift+Enter')
  await screen.isAt('[data-question="summary"] textarea')
  await keys.type(text)
  await keys.press('Escape')
}

/** Signs in and opens a dataset, and answers its records, without a pointer. */
export const byKeyboard = (keys: Keys, screen: Screen): Hands => {
  const desk = { keys, screen }
  return {
    signIn: async ({ username, password }: Annotator) => {
      await screen.isAt('input[name=username]')
      await keys.type(username)
      await keys.press('Tab')
      await keys.type(password)
      await keys.press(ui('features/guides:keys.key.enter'))
    },
    open: async (dataset) => {
      await screen.says(dataset)
      await pressUntil(desk, 'Tab', dataset)
      await keys.press(ui('features/guides:keys.key.enter'))
    },
    search: async (text) => {
      await pressUntil(desk, 'Shift+Tab', ui('features/annotate:toolbar.searchRecords'))
      await keys.type(text)
      await keys.press(ui('features/guides:keys.key.enter'))
    },
    toTheQuestions: async () => {
      for (let presses = 0; !(await screen.isInQuestion()); presses += 1) {
        if (presses > 40) throw new Error('Tab does not lead to the questions')
        await keys.press('Tab')
      }
      await keys.press('Escape')
    },
    clearSearch: async () => {
      await pressUntil(desk, 'Tab', ui('features/annotate:toolbar.clearSearch'))
      await keys.press(ui('features/guides:keys.key.enter'))
    },
    answer: async (record, answer, { section: sections, tags: allTags, mentions: labels, candidates }) => {
      await section(desk, answer, sections)
      await tags(desk, answer, allTags)
      await keys.press(String(answer.usefulness))
      await summary(desk, answer)
      await keys.press('ArrowDown')
      await mentions(desk, record, answer, labels)
      await keys.press('ArrowDown')
      for (const candidate of candidates) {
        await keys.press(String(answer.candidates.find(({ value }) => value === candidate)?.rank))
      }
    },
    save: async (status) =>
      keys.press(
        {
          submitted: ui('features/guides:keys.key.enter'),
          draft: 'Control+s',
          discarded: ui('features/guides:keys.key.backspace'),
        }[status],
      ),
    next: () => keys.press('ArrowRight'),
  }
}
