import { type CountedTurn, countedTurns } from '@postil/contract/question-types/turns.rules.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { useId, useMemo } from 'react'
import { bubblesOf, initialMessageCount, messagesOf } from '#field-types/chat/messages.ts'
import chat from '#field-types/chat/View.module.css'
import { useTranslation } from '#i18n/use-translation.ts'
import type { SharedFieldEditorProps } from '../define.ts'
import '../shared/labels/label-colours.css'
import type { Cell, Step } from './model.ts'
import { idOf, TurnRow } from './TurnRow.tsx'
import styles from './TurnsField.module.css'
import { useTurns } from './use-turns.ts'

const steps: ReadonlyMap<string, Step> = new Map([
  ['j', 'nextTurn'],
  ['ArrowDown', 'nextTurn'],
  ['k', 'previousTurn'],
  ['ArrowUp', 'previousTurn'],
  ['ArrowRight', 'nextQuestion'],
  ['ArrowLeft', 'previousQuestion'],
])
const stepOf = (key: string): Step | undefined => steps.get(key) ?? steps.get(key.toLowerCase())

const noCells: readonly Cell[] = []

/** How many characters of a message are shown if the conversation itself is shown elsewhere. */
const excerptLength = 120

const excerptOf = (text: string): string => {
  const characters = Array.from(text)
  return characters.length <= excerptLength ? text : `${characters.slice(0, excerptLength).join('')}…`
}

/** A conversation. Below each message are the labels for all questions about turns of the field. */
export const TurnsField = ({ editors, isBeside }: SharedFieldEditorProps<'turns'>) => {
  const { t } = useTranslation('question-types/turns')
  const first = editors[0]
  const value: JsonValue = first?.value ?? null
  const id = useId()
  const bubbles = useMemo(() => {
    const messages = messagesOf(value)
    return bubblesOf(isBeside ? messages.map((one) => ({ ...one, content: excerptOf(one.content) })) : messages)
  }, [value, isBeside])
  const initialCount = useMemo(() => initialMessageCount(bubbles), [bubbles])
  const turns = useMemo(() => countedTurns(value), [value])
  const show = (cell: Cell): void => {
    const element = document.getElementById(idOf(id, cell))
    element?.focus({ preventScroll: true })
    element?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  const said = ({ index }: CountedTurn, label: string, isOn: boolean): string =>
    isOn ? t('set', { number: index + 1, label }) : t('removed', { number: index + 1, label })
  const { byTurn, asked, hues, stop, stateOf, on } = useTurns({ editors, turns, said, stepOf, show })

  if (first === undefined) return null
  return (
    <ol className={`${chat['chat']} ${styles['field']}`} aria-label={isBeside ? first.label : undefined}>
      {bubbles.map((bubble, index) => {
        const cells = byTurn.get(index) ?? noCells
        return (
          <TurnRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a conversation have no ID and keep their order
            key={index}
            id={id}
            bubble={bubble}
            isMarkdown={first.isMarkdown === true && !isBeside}
            search={first.search}
            isFar={index >= initialCount}
            turn={turns[index] ?? null}
            cells={cells}
            states={cells.map(stateOf)}
            asked={asked}
            hues={hues}
            stop={stop?.turn === index ? stop : null}
            on={on}
          />
        )
      })}
    </ol>
  )
}
