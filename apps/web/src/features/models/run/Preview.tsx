import type { ModelPreview, ModelPreviewInput } from '@postil/contract/model-runs.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FailureReason } from '#features/jobs/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { valueText } from '#question-types/value-text.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { previewRun, recordQuery } from '../api.ts'
import { useModels } from '../context.ts'
import styles from '../models.module.css'
import { TextBox } from '../TextBox.tsx'
import { useAction } from '../use-action.ts'

/** How long the form must stay unchanged before the prompt is requested, in milliseconds. */
const DELAY = 400

type Props = {
  readonly body: Omit<ModelPreviewInput, 'record_id'>
  /** Whether the form has no faults. */
  readonly isValid: boolean
}

/** Shows the prompt for one record, the model's answer to the prompt, and the values that were read from the answer. */
export const Preview = ({ body, isValid }: Props) => {
  const { t } = useTranslation('features/models')
  const { dataset, questions } = useModels()
  const [position, setPosition] = useState(0)
  const { data: record } = useQuery(recordQuery(dataset.id, position))
  const { busy, run: act } = useAction()
  const [asked, setAsked] = useState<{ readonly for: string; readonly found: ModelPreview } | null>(null)
  const wanted = record ? { ...body, record_id: record.id } : null
  const settled = useDebouncedValue(isValid ? wanted : null, DELAY)
  const shown = useQuery({
    queryKey: ['dataset', dataset.id, 'model-preview', settled],
    queryFn: ({ signal }) => (settled === null ? null : previewRun(dataset.id, settled, signal)),
    enabled: settled !== null,
    gcTime: 0,
    retry: false,
    placeholderData: (earlier) => earlier,
  })
  const stop = useRef<AbortController | null>(null)
  // Aborts the request when the component unmounts. The server then stops asking the model, because no client waits for the
  // answer.
  useEffect(() => () => stop.current?.abort(), [])
  const key = JSON.stringify(wanted)
  const ask = () =>
    act(async () => {
      if (wanted === null) return
      const aborting = new AbortController()
      stop.current = aborting
      try {
        setAsked({ for: key, found: await previewRun(dataset.id, { ...wanted, ask: true }, aborting.signal) })
      } catch (error) {
        if (!aborting.signal.aborted) throw error
      }
    })
  const answer = asked?.for === key ? asked.found : null
  if (record === null)
    return (
      <section aria-label={t('preview.title')}>
        {position === 0 ? (
          <p className={styles['hint']}>{t('preview.noRecords')}</p>
        ) : (
          <Button onClick={() => setPosition(0)}>{t('preview.first')}</Button>
        )}
      </section>
    )
  return (
    <section aria-label={t('preview.title')} className={styles['stack']}>
      <div className={styles['head']}>
        <h3>{t('preview.title')}</h3>
        <span className={styles['choices']}>
          <Button look="quiet" onClick={() => setPosition(position + 1)}>
            {t('preview.next')}
          </Button>
          <Button busy={busy} blocked={!isValid || wanted === null} onClick={() => void ask()}>
            {t('preview.ask')}
          </Button>
        </span>
      </div>
      {shown.error && <ProblemNotice error={shown.error} />}
      {!shown.data && !shown.error && isValid && <Skeleton height="8rem" />}
      {shown.data && (
        <TextBox label={t('preview.prompt')}>{shown.data.messages.map(({ content }) => content).join('\n\n')}</TextBox>
      )}
      <div role="status" className={styles['stack']}>
        {answer !== null && (
          <>
            <h4>{t('preview.answer')}</h4>
            {answer.answer !== null && <TextBox label={t('preview.answer')}>{answer.answer}</TextBox>}
            {answer.reason !== null && (
              <Notice kind="warning">
                <FailureReason of={answer}>{(reason) => reason}</FailureReason>
              </Notice>
            )}
            {answer.values !== null && (
              <dl className={styles['figures']}>
                {questions.flatMap((question) => {
                  const found = answer.values?.[question.name]
                  if (found === undefined) return []
                  return [
                    <div key={question.id}>
                      <dt>
                        <bdi>{question.title}</bdi>
                      </dt>
                      <dd>
                        <bdi>{valueText(question, found.value)}</bdi>
                      </dd>
                    </div>,
                  ]
                })}
              </dl>
            )}
            {answer.rationale !== null && <p>{answer.rationale}</p>}
            <p className={styles['hint']}>
              {t('preview.used', {
                input: formatCount(answer.input_tokens),
                output: formatCount(answer.output_tokens),
                ms: formatCount(answer.ms),
              })}
            </p>
          </>
        )}
      </div>
    </section>
  )
}
