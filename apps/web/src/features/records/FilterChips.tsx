import type { Question } from '@postil/contract/questions.ts'
import { formatAgreement } from '#i18n/format.ts'
import { formatDay } from '#i18n/format-day.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { RecordsSearch } from '#lib/url/records-search.ts'
import { valueText } from '#question-types/value-text.ts'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import type { People } from './people.ts'
import styles from './RecordsPage.module.css'
import { type AnswerFilter, readAgreement, readAnswer, readOverlap, readSuggested } from './search-body.ts'

type Key = keyof RecordsSearch
type Chip = { readonly text: string; readonly keys: readonly Key[] }
type Props = {
  readonly search: RecordsSearch
  readonly questions: readonly Question[]
  readonly people: People
  /** Whether one of the selects already shows the filter by answer. */
  readonly isListed: boolean
  readonly onRemove: (keys: readonly Key[]) => void
}

/** Filters that are set by links from the overview and have no control of their own. The user can remove each of them. */
export const FilterChips = ({ search, questions, people, isListed, onRemove }: Props) => {
  const { t } = useTranslation('features/records')
  const { given, from, to, with: second, other, overlap, suggested, answer, final } = search
  const named = (name: string) => questions.find((question) => question.name === name)
  const titleOf = (name: string): string => named(name)?.title ?? name
  const answerText = ({ question, value }: AnswerFilter): string => {
    const found = named(question)
    return `${titleOf(question)}: ${found ? valueText(found, value) : value}`
  }
  const daysText = (first: string | undefined, last: string | undefined): string => {
    if (first === undefined) return t('filter.dates.until', { day: formatDay(last ?? '') })
    if (last === undefined) return t('filter.dates.since', { day: formatDay(first) })
    return first === last ? formatDay(first) : t('filter.days', { from: formatDay(first), to: formatDay(last) })
  }
  const [answered, otherAnswer] = [readAnswer(answer), readAnswer(other)]
  const [counted, offered] = [readOverlap(overlap), readSuggested(suggested)]
  const chips: Chip[] = []
  if (given) chips.push({ text: t(`filter.${given}`), keys: ['given'] })
  if (from || to) {
    chips.push({ text: daysText(from, to), keys: ['from', 'to'] })
  }
  if (answered && !isListed) chips.push({ text: answerText(answered), keys: ['answer'] })
  const decided = readAnswer(final)
  if (decided) chips.push({ text: t('filter.final', { answer: answerText(decided) }), keys: ['final'] })
  if (second) {
    const name = people.nameOf(second)
    const text = otherAnswer ? t('filter.withAnswer', { name, answer: answerText(otherAnswer) }) : t('filter.with', { name })
    chips.push({ text, keys: ['with', 'other'] })
  }
  if (counted)
    chips.push({ text: t(`filter.overlap.${counted.kind}`, { question: titleOf(counted.question) }), keys: ['overlap'] })
  if (offered) {
    const text = t(`filter.suggested.${offered.result}`, { question: titleOf(offered.question) })
    chips.push({ text: offered.agent === '' ? text : `${text} (${offered.agent})`, keys: ['suggested'] })
  }
  const agreed = readAgreement(search.agreement)
  if (agreed) {
    const [from, to] = [formatAgreement((agreed.from ?? 0) / 100), formatAgreement((agreed.to ?? 100) / 100)]
    chips.push({ text: t('filter.range.shown', { from, to, question: titleOf(agreed.question) }), keys: ['agreement'] })
  }
  if (chips.length === 0) return null
  return (
    <ul className={styles['chips']} aria-label={t('filter.more')}>
      {chips.map(({ text, keys }) => (
        <li key={keys[0]} className={styles['chip']}>
          <bdi>{text}</bdi>
          <button
            type="button"
            aria-label={t('filter.remove', { text })}
            title={t('filter.remove', { text })}
            onClick={() => onRemove(keys)}
          >
            <CloseIcon size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}
