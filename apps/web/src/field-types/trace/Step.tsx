import { areMessages, type TraceStep } from '@postil/contract/trace.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { ReactNode } from 'react'
import { formatCount, formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Pill } from '#ui/marks/Pill.tsx'
import { formatStepDuration } from './format-step.ts'
import { Json, LongText } from './Json.tsx'
import { Messages } from './Messages.tsx'
import styles from './Step.module.css'

const Payload = ({ value, search }: { readonly value: JsonValue; readonly search: string | null }) => {
  if (areMessages(value)) return <Messages messages={value} search={search} />
  if (typeof value === 'string') return <LongText text={value} search={search} />
  return <Json value={value} search={search} isOpen />
}

type SectionProps = { readonly title: string; readonly value: JsonValue | undefined; readonly search: string | null }

const Section = ({ title, value, search }: SectionProps) =>
  value === undefined || value === null ? null : (
    <section className={styles['section']}>
      <h4 className={styles['title']}>{title}</h4>
      <Payload value={value} search={search} />
    </section>
  )

type Props = {
  readonly id: string
  readonly step: TraceStep
  readonly search: string | null
  /** Content between the step's facts and the step's input. */
  readonly children?: ReactNode
}

export const Step = ({ id, step, search, children }: Props) => {
  const { t } = useTranslation('field-types/trace')
  const { kind, name, model, tokens, start, duration_ms: duration, error, input, output, attributes } = step
  const counts = [
    ...(tokens?.input === undefined ? [] : [t('inputTokens', { count: tokens.input, formatted: formatCount(tokens.input) })]),
    ...(tokens?.output === undefined ? [] : [t('outputTokens', { count: tokens.output, formatted: formatCount(tokens.output) })]),
  ]
  const facts = [
    ...(model === undefined ? [] : [model]),
    ...(duration === undefined ? [] : [formatStepDuration(duration)]),
    ...counts,
    ...(start === undefined ? [] : [formatDateTime(start)]),
  ]
  const isEmpty = [input, output, error, attributes].every((value) => value === undefined || value === null)
  return (
    <section id={id} className={styles['step']} aria-label={t('step', { name: name || t('unnamed') })}>
      <div className={styles['head']}>
        <Pill>{t(`kind.${kind}`)}</Pill>
        <h3 className={styles['name']}>
          <bdi>{name || t('unnamed')}</bdi>
        </h3>
      </div>
      {facts.length > 0 && (
        <ul className={styles['facts']}>
          {facts.map((fact) => (
            <li key={fact}>
              <bdi>{fact}</bdi>
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <div className={styles['error']}>
          <span className={styles['title']}>{t('error')}</span>
          <LongText text={error} search={search} />
        </div>
      )}
      {children}
      {isEmpty && <p className={styles['none']}>{t('noContent')}</p>}
      <Section title={t('input')} value={input} search={search} />
      <Section title={t('output')} value={output} search={search} />
      {attributes !== undefined && Object.keys(attributes).length > 0 && (
        <section className={styles['section']}>
          <h4 className={styles['title']}>{t('attributes')}</h4>
          <Json value={attributes} search={search} />
        </section>
      )}
    </section>
  )
}
