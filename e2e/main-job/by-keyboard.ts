import type { Keyboard } from 'playwright-core'
import { ui } from '../harness/ui-text.ts'
import type { Annotator, Answer, JobRecord } from './data.ts'
import type { Range, Screen } from './screen.ts'
import type { InputMethod } from './work.ts'

type Keys = Pick<Keyboard, 'press' | 'type'>
type KeyboardContext = { readonly keys: Keys; readonly screen: Screen }

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Presses a key until the wanted element has the focus. */
const pressUntil = async ({ keys, screen }: KeyboardContext, key: string, wanted: string): Promise<void> => {
  for (let presses = 0; (await screen.focused()) !== wanted; presses += 1) {
    if (presses > 40) throw new Error(`${key} does not reach “${wanted}”`)
    await keys.press(key)
  }
}

type Text = { readonly text: string; readonly words: readonly Range[] }

/** Moves the cursor forward to a later position with the arrow keys, one word at a time where possible. */
const moveCursor = async (
  { keys }: KeyboardContext,
  { text, words }: Text,
  from: number,
  to: number,
  shift: '' | 'Shift+',
): Promise<void> => {
  let at = from
  while (at < to) {
    const word = words.find(({ end }) => end > at)?.end
    const isWord = word !== undefined && word <= to
    await keys.press(`${isWord ? 'Control+' : ''}${shift}ArrowRight`)
    at = isWord ? word : at + ([...characters.segment(text.slice(at))][0]?.segment.length ?? 1)
  }
}

/** Converts a code point offset to UTF-16 units. */
const unitOf = (text: string, codePoint: number): number => [...text].slice(0, codePoint).join('').length

const mentions = async (
  context: KeyboardContext,
  record: JobRecord,
  answer: Answer,
  labels: readonly string[],
): Promise<void> => {
  const { keys, screen } = context
  const text = record.fields.description
  const shown = { text, words: await screen.words(text) }
  await screen.isAtQuestion('mentions')
  await keys.press('Shift+Enter')
  await screen.isAt('[data-span-text]')
  let cursor = 0
  for (const { label, start, end } of answer.mentions) {
    const [from, to] = [unitOf(text, start), unitOf(text, end)]
    await moveCursor(context, shown, cursor, from, '')
    await moveCursor(context, shown, from, to, 'Shift+')
    await keys.press(String(labels.indexOf(label) + 1))
    cursor = to
  }
  await keys.press('Escape')
  await screen.isAtQuestion('mentions')
}

/** The digit that selects a label. Labels after the ninth have no digit and are found by typing their names. */
const digitOf = (options: readonly string[], value: string): string | null => {
  const number = options.indexOf(value) + 1
  return number >= 1 && number <= 9 ? String(number) : null
}

/** Types a label's name and chooses the first match. */
const lookUpOption = async ({ keys }: KeyboardContext, value: string): Promise<void> => {
  await keys.type(value)
  await keys.press('Enter')
}

const section = async (context: KeyboardContext, { section: value }: Answer, options: readonly string[]): Promise<void> => {
  const digit = digitOf(options, value)
  if (digit === null) await lookUpOption(context, value)
  else await context.keys.press(digit)
  // Only one label is allowed, so the focus moves to the next question automatically.
  await context.screen.isAtQuestion('tags')
  await context.screen.isPicked('section', value)
}

const tags = async (context: KeyboardContext, answer: Answer, options: readonly string[]): Promise<void> => {
  for (const value of answer.tags) {
    const digit = digitOf(options, value)
    if (digit === null) await lookUpOption(context, value)
    else await context.keys.press(digit)
    await context.screen.isPicked('tags', value)
    if (digit === null) await context.keys.press('Escape')
    await context.screen.isAtQuestion('tags')
  }
  await context.keys.press('ArrowDown')
}

const summary = async ({ keys, screen }: KeyboardContext, { summary: text }: Answer): Promise<void> => {
  await screen.isAtQuestion('summary')
  await keys.press('Shift+Enter')
  await screen.isAt('[data-question="summary"] textarea')
  await keys.type(text)
  await keys.press('Escape')
}

/** Signs in, opens a dataset and answers its records with the keyboard only. */
export const byKeyboard = (keys: Keys, screen: Screen): InputMethod => {
  const context = { keys, screen }
  return {
    signIn: async ({ username, password }: Annotator) => {
      await screen.isAt('input[name=username]')
      await keys.type(username)
      await keys.press('Tab')
      await keys.type(password)
      await keys.press('Enter')
    },
    open: async (dataset) => {
      await screen.says(dataset)
      await pressUntil(context, 'Tab', dataset)
      await keys.press('Enter')
    },
    search: async (text) => {
      await pressUntil(context, 'Shift+Tab', ui('features/annotate:toolbar.searchRecords'))
      await keys.type(text)
      await keys.press('Enter')
    },
    focusQuestions: async () => {
      for (let presses = 0; !(await screen.isInQuestion()); presses += 1) {
        if (presses > 40) throw new Error('Tab does not reach the questions')
        await keys.press('Tab')
      }
      await keys.press('Escape')
    },
    clearSearch: async () => {
      await pressUntil(context, 'Tab', ui('features/annotate:toolbar.clearSearch'))
      await keys.press('Enter')
    },
    answer: async (record, answer, { section: sections, tags: allTags, mentions: labels, candidates }) => {
      await section(context, answer, sections)
      await tags(context, answer, allTags)
      await keys.press(String(answer.usefulness))
      await summary(context, answer)
      await keys.press('ArrowDown')
      await mentions(context, record, answer, labels)
      await keys.press('ArrowDown')
      // Each digit gives the next rank to an option.
      const ranked = answer.candidates.toSorted((a, b) => a.rank - b.rank)
      for (const { value } of ranked) await keys.press(String(candidates.indexOf(value) + 1))
    },
    save: async (status) =>
      keys.press(
        {
          submitted: 'Enter',
          draft: 'Control+s',
          discarded: 'Backspace',
        }[status],
      ),
    next: () => keys.press('ArrowRight'),
  }
}
