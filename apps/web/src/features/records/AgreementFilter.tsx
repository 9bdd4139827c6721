import type { Question } from '@postil/contract/questions.ts'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import styles from './RecordsPage.module.css'
import { printAgreement, readAgreement } from './search-body.ts'

type Props = {
  /** The questions to choose from. Their agreement is measured on each record. */
  readonly questions: readonly Question[]
  /** As in the address. */
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

const textOf = (bound: number | null | undefined): string => (bound === null || bound === undefined ? '' : String(bound))
const boundOf = (text: string): number | null => (text === '' ? null : Number(text))

export const AgreementFilter = ({ questions, value, onChange }: Props) => {
  const { t } = useTranslation('features/records')
  return (
    <Popover
      label={t('filter.range.title')}
      className={styles['rangePanel']}
      trigger={<Button look="quiet">{t('filter.range.title')}</Button>}
    >
      <RangeForm questions={questions} value={value} onChange={onChange} />
    </Popover>
  )
}

const RangeForm = ({ questions, value, onChange }: Props) => {
  const { t } = useTranslation('features/records')
  const current = readAgreement(value)
  const [question, setQuestion] = useState(current?.question ?? questions[0]?.name ?? '')
  const [from, setFrom] = useState(textOf(current?.from))
  const [to, setTo] = useState(textOf(current?.to))
  const apply = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onChange(printAgreement({ question, from: boundOf(from), to: boundOf(to) }))
  }
  const bounds = { type: 'number', inputMode: 'numeric', min: 0, step: 1 } as const
  return (
    <form className={styles['range']} onSubmit={apply}>
      {questions.length > 1 && (
        <Select
          label={t('filter.range.question')}
          value={question}
          options={questions.map(({ name, title }) => ({ value: name, label: title }))}
          onChange={setQuestion}
        />
      )}
      <div className={styles['bounds']}>
        <Input
          {...bounds}
          label={t('filter.range.from')}
          max={to === '' ? 100 : Math.min(100, Number(to))}
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
        <Input {...bounds} label={t('filter.range.to')} max={100} value={to} onChange={(event) => setTo(event.target.value)} />
      </div>
      <Button type="submit">{t('filter.range.apply')}</Button>
    </form>
  )
}
