import type { Confusion as Matrix, QuestionAgreement } from '@postil/contract/agreement.ts'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { useState } from 'react'
import { printAnswer, printDiffer } from '#features/records/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { valueText } from '#question-types/value-text.ts'
import { Select } from '#ui/controls/Select.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { confusionQuery } from '../api.ts'
import { useOverview } from '../context.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import { RecordsLink } from '../parts/RecordsLink.tsx'
import { useRovingCells } from '../parts/use-roving-cells.ts'
import styles from './agreement.module.css'

type Value = string | number
/** Stands for the final answers in place of a rater's ID, as in the API. */
const final = 'gold'
type GridProps = {
  readonly found: QuestionAgreement
  readonly matrix: Matrix
  readonly a: string
  readonly b: string
  readonly textOf: (value: Value) => string
  readonly nameOf: (rater: string) => string
}

/**
 * Returns all values that either person has given, in order, and a function that returns the count of a pair. Rows and columns
 * have the same values, so that equal answers are on the diagonal.
 */
const squareOf = ({ rows, columns, counts }: Matrix, order: readonly Value[]) => {
  const used = [...new Set([...rows, ...columns])]
  const values = used.toSorted((x, y) => order.indexOf(x) - order.indexOf(y))
  const countOf = (x: Value, y: Value): number => counts[rows.indexOf(x)]?.[columns.indexOf(y)] ?? 0
  return { values, countOf }
}

const ConfusionGrid = ({ found, matrix, a, b, textOf, nameOf }: GridProps) => {
  const { t } = useTranslation('features/overview')
  const order = [...matrix.rows, ...matrix.columns]
  const labels = found.labels.map(({ value }) => value)
  const { values, countOf } = squareOf(matrix, labels.length > 0 ? labels : order.toSorted((x, y) => Number(x) - Number(y)))
  const highest = Math.max(1, ...matrix.counts.flat())
  const cells = values.flatMap((x, row) => values.flatMap((y, column) => (countOf(x, y) > 0 ? [`${row} ${column}`] : [])))
  const { current, onKeyDown, onFocus } = useRovingCells(values.length, values.length, cells[0] ?? '')
  const answer = (value: Value) => printAnswer({ question: found.name, value: String(value) })
  const searchFor = (x: string, y: string) => {
    if (a === final) return { by: b, answer: y, final: x }
    return b === final ? { by: a, answer: x, final: y } : { by: a, answer: x, with: b, other: y }
  }
  return (
    <TableScroller label={t('agreement.confusion')}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between the cells
        role="grid"
        aria-label={t('agreement.confusion')}
        className={styles['matrix']}
        data-confusion=""
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        <thead>
          <tr>
            <td />
            <th scope="colgroup" colSpan={values.length} className={styles['axis']}>
              <bdi>{nameOf(b)}</bdi>
            </th>
          </tr>
          <tr>
            <th scope="row" className={styles['axis']}>
              <bdi>{nameOf(a)}</bdi>
            </th>
            {values.map((value) => (
              <th key={value} scope="col" title={textOf(value)}>
                <bdi>{textOf(value)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {values.map((x, row) => (
            <tr key={x}>
              <th scope="row" title={textOf(x)}>
                <bdi>{textOf(x)}</bdi>
              </th>
              {values.map((y, column) => {
                const count = countOf(x, y)
                if (count === 0)
                  return (
                    <td key={y} className={styles['none']}>
                      {formatCount(0)}
                    </td>
                  )
                const place = `${row} ${column}`
                return (
                  <td key={y}>
                    <RecordsLink
                      search={searchFor(answer(x), answer(y))}
                      className={styles['cell']}
                      label={t('agreement.cell', {
                        a: nameOf(a),
                        x: textOf(x),
                        b: nameOf(b),
                        y: textOf(y),
                        count,
                        shown: formatCount(count),
                      })}
                      tabIndex={place === current ? 0 : -1}
                      data-cell={place}
                      data-differs={x === y ? undefined : ''}
                      style={{ '--fill': count / highest } as CSSProperties}
                    >
                      {formatCount(count)}
                    </RecordsLink>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  )
}

/** How often two people, or one person and the review, gave each pair of values to the same record. */
export const Confusion = ({ found }: { readonly found: QuestionAgreement }) => {
  const { t } = useTranslation('features/overview')
  const { people, questions } = useOverview()
  const question = questions.find(({ id }) => id === found.question_id)
  const textOf = (value: Value): string => (question ? valueText(question, value) : String(value))
  const nameOf = (rater: string): string => (rater === final ? t('agreement.finalAnswers') : people.nameOf(rater))
  const reviewed = found.users.find(({ gold_n }) => gold_n > 0)
  const [[a = '', b = ''], setPair] = useState<readonly string[]>(found.pairs[0]?.users ?? [reviewed?.user_id ?? '', final])
  const { data, error } = useQuery(confusionQuery(found.question_id, a, b))
  const raters = [...found.users.map(({ user_id }) => user_id), ...(reviewed ? [final] : [])]
  const options = raters.map((rater) => ({ value: rater, label: nameOf(rater) }))
  return (
    <Panel
      level={3}
      title={t('agreement.confusion')}
      hint={t('agreement.confusionHint')}
      tools={
        <span className={styles['raters']}>
          <Select
            label={t('agreement.first')}
            value={a}
            options={options.filter(({ value }) => value !== b)}
            onChange={(next) => setPair([next, b])}
          />
          <Select
            label={t('agreement.second')}
            value={b}
            options={options.filter(({ value }) => value !== a)}
            onChange={(next) => setPair([a, next])}
          />
        </span>
      }
      sheet={
        data
          ? {
              head: ['', ...data.columns.map(textOf)],
              rows: data.rows.map((value, row) => [textOf(value), ...(data.counts[row] ?? [])]),
            }
          : null
      }
    >
      {error && <ProblemNotice error={error} />}
      {!data && !error && <Skeleton height="8rem" />}
      {data && data.rows.length === 0 && <p className={styles['note']}>{t('reason.no_overlap')}</p>}
      {data && data.rows.length > 0 && (
        <>
          <ConfusionGrid key={`${a} ${b}`} found={found} matrix={data} a={a} b={b} textOf={textOf} nameOf={nameOf} />
          {a !== final && b !== final && (
            <p className={styles['note']}>
              <RecordsLink search={{ by: a, with: b, differ: printDiffer({ from: 'answers', question: found.name }) }}>
                {t('agreement.differingPair', { a: nameOf(a), b: nameOf(b) })}
              </RecordsLink>
            </p>
          )}
        </>
      )}
    </Panel>
  )
}
