import { type CountedTurn, countedTurns } from '@postil/contract/question-types/turns.rules.ts'
import { stepsOf } from '@postil/contract/trace.ts'
import { useId, useMemo, useRef } from 'react'
import { Trace, type TraceHandle } from '#field-types/trace/Trace.tsx'
import { treeOf } from '#field-types/trace/tree.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { SharedFieldEditorProps } from '../define.ts'
import '../shared/labels/label-colours.css'
import type { Cell, Step } from './model.ts'
import { TurnLabels } from './TurnLabels.tsx'
import styles from './TurnsField.module.css'
import { useTurns } from './use-turns.ts'

/**
 * L and H move between the questions about one step. The tree itself handles J and K: they move between all steps, whether or not
 * a question asks about them.
 */
const stepKeys: ReadonlyMap<string, Step> = new Map([
  ['l', 'nextQuestion'],
  ['h', 'previousQuestion'],
])
const stepOf = (key: string): Step | undefined => stepKeys.get(key.toLowerCase())
const noCells: readonly Cell[] = []

/** A trace. The panel of a step contains the labels for all questions about the step. */
export const TraceTurns = ({ editors }: SharedFieldEditorProps<'turns'>) => {
  const { t } = useTranslation('field-types/trace')
  const id = useId()
  const trace = useRef<TraceHandle>(null)
  const first = editors[0]
  const value = first?.value ?? null
  const steps = useMemo(() => stepsOf(value), [value])
  const turns = useMemo(() => {
    const counted = countedTurns(value)
    return treeOf(steps).flatMap(({ index }) => counted[index] ?? [])
  }, [value, steps])
  const nameOf = ({ name = '' }: CountedTurn): string => name || t('unnamed')
  const said = (turn: CountedTurn, label: string, isOn: boolean): string =>
    isOn ? t('labelSet', { name: nameOf(turn), label }) : t('labelRemoved', { name: nameOf(turn), label })
  const show = ({ question }: Cell): void => {
    trace.current?.focus()
    editors[question]?.onFocus?.()
  }
  const { byTurn, stop, current, setCurrent, press, chipsIn, on } = useTurns({ editors, turns, said, stepOf, show })
  const shown = current?.turn ?? stop?.turn ?? null
  const cellsAt = (index: number): readonly Cell[] => byTurn.get(index) ?? noCells
  /** Returns a step's cell for the current question or, if there is none, the step's first cell. */
  const cellAt = (index: number): Cell | undefined =>
    cellsAt(index).find(({ question }) => question === (current?.question ?? 0)) ?? cellsAt(index)[0]
  const turnAt = useMemo(() => new Map(turns.map((turn) => [turn.index, turn])), [turns])

  if (first === undefined) return null
  return (
    <Trace
      ref={trace}
      steps={steps}
      label={first.label}
      search={first.search}
      current={shown}
      onCurrent={(index) => setCurrent(cellAt(index) ?? { turn: index, question: current?.question ?? 0 })}
      questions={{
        isAsked: (index) => byTurn.has(index),
        labelsOf: (index) =>
          cellsAt(index).flatMap((cell) => chipsIn(cell).flatMap(({ state, text }) => (state === 'on' ? [text] : []))),
        onFocus: () => {
          const cell = shown === null ? undefined : cellAt(shown)
          if (cell) editors[cell.question]?.onFocus?.()
        },
        onKey: (index, key) => {
          const cell = cellAt(index)
          return press(cell ?? stop ?? { turn: index, question: 0 }, cell === undefined && key !== 'Escape' ? '' : key)
        },
        panelOf: (index) => {
          const turn = turnAt.get(index)
          if (turn === undefined || !byTurn.has(index)) return null
          return (
            <div className={styles['cells']}>
              {cellsAt(index).map((cell) => {
                const { title } = editors[cell.question]!.question
                const isCurrent = editors.length > 1 && cell === cellAt(index)
                return (
                  <div key={cell.question} className={styles['ofStep']} data-current={isCurrent}>
                    <TurnLabels
                      id={`${id}-${index}-${cell.question}`}
                      cell={cell}
                      title={title}
                      name={t('labels', { name: nameOf(turn), question: title })}
                      chips={chipsIn(cell)}
                      isStop
                      on={on}
                    />
                  </div>
                )
              })}
            </div>
          )
        },
      }}
    />
  )
}
