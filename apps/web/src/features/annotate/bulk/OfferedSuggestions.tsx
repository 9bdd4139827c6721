import { useId } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from './OfferedSuggestions.module.css'
import type { Offer } from './use-bulk-answers.ts'

type Props = {
  readonly offers: readonly Offer[]
  readonly accepted: ReadonlySet<string>
  readonly onToggle: (name: string) => void
}

/** Asks which of the unconfirmed suggestions to submit. */
export const OfferedSuggestions = ({ offers, accepted, onToggle }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  return (
    <fieldset className={styles['offers']} aria-describedby={id}>
      <legend className={styles['legend']}>{t('bulk.unseen.title')}</legend>
      <p id={id} className={styles['hint']}>
        {t('bulk.unseen.hint')}
      </p>
      {offers.map(({ question: { name, title }, count }) => (
        <label key={name} className={styles['offer']}>
          <input type="checkbox" className={styles['box']} checked={accepted.has(name)} onChange={() => onToggle(name)} />
          <bdi>{title}</bdi>
          {count !== null && (
            <span className={styles['count']}>{t('bulk.unseen.count', { count, formatted: formatCount(count) })}</span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
