import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import styles from './RecordsPage.module.css'

/** Days as `YYYY-MM-DD`; undefined if there is no limit. */
type Days = { readonly from: string | undefined; readonly to: string | undefined }
type Props = Days & { readonly onChange: (days: Days) => void }

/** A filter for records with answers that changed within a range of days. */
export const DateFilter = (props: Props) => {
  const { t } = useTranslation('features/records')
  return (
    <Popover
      label={t('filter.dates.title')}
      className={styles['rangePanel']}
      trigger={<Button look="quiet">{t('filter.dates.title')}</Button>}
    >
      <DateForm key={`${props.from} ${props.to}`} {...props} />
    </Popover>
  )
}

const DateForm = ({ from, to, onChange }: Props) => {
  const { t } = useTranslation('features/records')
  const [first, setFirst] = useState(from ?? '')
  const [last, setLast] = useState(to ?? '')
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onChange({ from: first || undefined, to: last || undefined })
  }
  return (
    <form className={styles['range']} onSubmit={apply}>
      <div className={styles['bounds']}>
        <Input
          type="date"
          label={t('filter.dates.from')}
          {...(last !== '' && { max: last })}
          value={first}
          onChange={(event) => setFirst(event.target.value)}
        />
        <Input type="date" label={t('filter.dates.to')} value={last} onChange={(event) => setLast(event.target.value)} />
      </div>
      <Button type="submit">{t('filter.range.apply')}</Button>
    </form>
  )
}
