import type { ReactElement } from 'react'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test, vi } from 'vitest'
import { emptyDraft } from '#features/create/draft.ts'
import { faultsOf } from '#features/create/faults.ts'
import { homeQuery } from '#features/home/public.ts'
import { formatPercent, formatProgress, formatScore } from '#i18n/format.ts'
import { datasetQuery, fieldsQuery, questionsQuery, workspaceQuery } from '#lib/api/dataset-queries.ts'
import { filterDelay, shareMinimum, similarDefault } from '#lib/constants.ts'
import { settings as multiLabelSelectionSettings } from '#question-types/multi_label_selection/settings.ts'
import { createDigits } from '#question-types/shared/options/digits.ts'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { Tooltip } from '#ui/overlays/Tooltip.tsx'
import { createQueryClient } from './query-client.ts'

// The modules read the page's URL when they load.
vi.hoisted(() => vi.stubGlobal('document', { baseURI: 'http://localhost/' }))
const DescribedBy = ({
  text,
  inside,
}: {
  readonly text: string
  readonly inside: ReactElement<{ 'aria-describedby'?: string }>
}) => Tooltip({ text, children: inside })

describe('fixed numbers', () => {
  test('scores have one decimal, similarity one and progress two', () => {
    expect([formatScore(0.75), formatPercent(0.12345), formatProgress(0.12345)]).toEqual(['0.8', '12.3%', '12.35%'])
  })

  test.each([
    ['mini', 26],
    ['small', 34],
    ['medium', 45],
  ] as const)('an avatar of size %s is %i pixels wide and shows two letters', (size, pixels) => {
    const rendered = renderToStaticMarkup(createElement(Avatar, { name: 'ännchen', size }))
    expect(rendered).toContain(`--size:${pixels}px`)
    expect(rendered).toContain('data-initials="än"')
  })

  test('responses stay fresh for 3 s, 120 s or 600 s, and the home list for 1 s', () => {
    expect(createQueryClient().getDefaultOptions().queries?.staleTime).toBe(3000)
    expect([fieldsQuery('1').staleTime, questionsQuery('1').staleTime]).toEqual([120_000, 120_000])
    expect([datasetQuery('1').staleTime, workspaceQuery('1').staleTime]).toEqual([600_000, 600_000])
    expect(homeQuery().staleTime).toBe(1000)
  })

  test('the preview of a question with more than three labels suggests the first two', () => {
    const settingsOf = (count: number) => ({
      type: 'multi_label_selection' as const,
      options: Array.from({ length: count }, (_, at) => ({ value: `v${at}`, text: `V${at}`, description: null })),
      visible_options: count,
      options_order: 'natural' as const,
    })
    expect(multiLabelSelectionSettings.sample(settingsOf(4))).toEqual({ value: ['v0', 'v1'], score: [0.5, 0.7], agent: 'system' })
    expect(multiLabelSelectionSettings.sample(settingsOf(3))).toBeNull()
  })

  test.each([
    [39, true],
    [40, false],
  ])('a tooltip of %i characters has the short form: %s', (length, isShort) => {
    const inside = createElement<{ 'aria-describedby'?: string }>('span')
    const rendered = renderToStaticMarkup(createElement(DescribedBy, { text: 'x'.repeat(length), inside }))
    expect(/class="[^"]*short/.test(rendered)).toBe(isShort)
  })

  test('digits combine within 300 ms, filters wait 500 ms, 50 similar records are found and sharing needs two answers', () => {
    vi.useFakeTimers()
    const announced: number[] = []
    createDigits((number) => announced.push(number)).press('1', [1, 12])
    vi.advanceTimersByTime(299)
    expect(announced).toEqual([])
    vi.advanceTimersByTime(1)
    expect(announced).toEqual([1])
    vi.useRealTimers()
    expect([filterDelay, similarDefault, shareMinimum]).toEqual([500, 50, 2])
  })

  test.each([0, 1])('a new dataset has the same text limits as its settings later (%i characters over the limit)', (more) => {
    const letters = (most: number) => 'x'.repeat(most + more)
    const part = { source: null, name: letters(200) }
    const settings = { type: 'text', use_markdown: false } as const
    const faults = faultsOf(
      {
        ...emptyDraft,
        name: letters(200),
        guidelines: letters(10_000),
        fields: [{ ...part, key: 'f', title: letters(500), required: true, settings }],
        questions: [{ ...part, key: 'q', title: letters(200), description: letters(500), required: true, settings }],
        properties: [{ ...part, key: 'p', title: letters(500), visible: true, settings: { type: 'integer' } }],
      },
      { taken: new Set(), hasFile: false },
    )
    const tooLong = [...faults.parts].map(([key, { words }]) => [key, words.map(({ on, max }) => `${on} ${max}`)])
    expect([faults.name, faults.guidelines]).toEqual(more === 0 ? [null, null] : ['tooLong', 'tooLong'])
    expect(tooLong).toEqual(
      more === 0
        ? []
        : [
            ['f', ['name 200', 'title 500']],
            ['q', ['name 200', 'title 200', 'description 500']],
            ['p', ['name 200', 'title 500']],
          ],
    )
  })
})
