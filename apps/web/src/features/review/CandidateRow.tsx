import type { Question } from '@postil/contract/questions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { type MouseEvent, useId } from 'react'
import { formatCount, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { QuestionValue } from '#question-types/QuestionValue.tsx'
import { CheckIcon, SuggestionIcon } from '#ui/marks/icons.tsx'
import styles from './Candidates.module.css'
import type { Candidate } from './decisions.ts'

type Props = {
  readonly question: Question
  readonly fields: JsonObject
  readonly candidate: Candidate
  /**
   * The value of the first candidate, with which this candidate's value is compared. The parts that only this candidate's value
   * contains are marked. If undefined, nothing is marked.
   */
  readonly other: unknown
  /** The number key that chooses the answer. */
  readonly number: number
  readonly isPicked: boolean
  /** Whether the stored final answers are out of date. */
  readonly isStale: boolean
  readonly isTabStop: boolean
  readonly onPick: (event: MouseEvent<HTMLElement>) => void
}

/** One of the answers to choose from: its value, and who gave it. */
export const CandidateRow = (props: Props) => {
  const { question, fields, candidate, other, number, isPicked, isStale, isTabStop, onPick } = props
  const { t } = useTranslation('features/review')
  const id = useId()
  const { count, users, suggested, isGold, isOwn } = candidate
  const names = users.map(({ username }) => username ?? t('formerUser'))
  return (
    <div className={styles['row']} data-picked={isPicked ? '' : undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: an input can't contain the number */}
      <button
        type="button"
        role="radio"
        data-option=""
        aria-checked={isPicked}
        aria-labelledby={`${id}-value ${id}-about`}
        tabIndex={isTabStop ? 0 : -1}
        className={styles['pick']}
        onClick={onPick}
      >
        {isPicked ? <CheckIcon size={14} /> : <span aria-hidden="true">{number > 9 ? '' : number}</span>}
      </button>
      <div id={`${id}-value`} className={styles['value']}>
        <QuestionValue question={question} fields={fields} value={candidate.value} other={other} isCompared />
      </div>
      <div id={`${id}-about`} className={styles['about']}>
        {suggested && (
          <span className={styles['suggested']}>
            <SuggestionIcon size={12} />
            {t('suggestion')}
          </span>
        )}
        {isGold && <span className={styles['gold']}>{isStale ? t('formerGold') : t('gold')}</span>}
        {isOwn && <span className={styles['gold']}>{t('own')}</span>}
        {count > 0 && (
          <span className={styles['people']}>
            {names.length > 0 ? (
              <bdi className={styles['names']}>{formatList(names, true)}</bdi>
            ) : (
              t('answers', { count, shown: formatCount(count) })
            )}
            {count > 1 && names.length > 0 && <Count count={count} />}
          </span>
        )}
      </div>
    </div>
  )
}

const Count = ({ count }: { readonly count: number }) => (
  <span className={styles['count']} aria-hidden="true">
    {formatCount(count)}
  </span>
)

type NoneProps = {
  readonly isPicked: boolean
  readonly isTabStop: boolean
  readonly onPick: (event: MouseEvent<HTMLElement>) => void
}

/** The option to give no final answer. Offered for optional questions. */
export const NoneRow = ({ isPicked, isTabStop, onPick }: NoneProps) => {
  const { t } = useTranslation('features/review')
  const id = useId()
  return (
    <div className={styles['row']} data-none="" data-picked={isPicked ? '' : undefined}>
      {/* biome-ignore lint/a11y/useSemanticElements: an input can't contain the number */}
      <button
        type="button"
        role="radio"
        data-option=""
        aria-checked={isPicked}
        aria-labelledby={id}
        tabIndex={isTabStop ? 0 : -1}
        className={styles['pick']}
        onClick={onPick}
      >
        {isPicked ? <CheckIcon size={14} /> : <span aria-hidden="true">0</span>}
      </button>
      <span id={id} className={styles['value']}>
        {t('none')}
      </span>
    </div>
  )
}
