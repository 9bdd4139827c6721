import { type GoldRule, goldRules, isModelRule } from '@postil/contract/gold-rules.ts'
import type { GoldJobInput } from '@postil/contract/review.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { stopJob, untilEnded } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { type GoldTarget, startGoldJob } from './api.ts'
import styles from './FillDialog.module.css'
import { Reliability } from './Reliability.tsx'
import { useFill } from './use-fill.ts'

type Props = {
  readonly datasetId: string
  readonly target: GoldTarget
  /** Called when final answers were stored or restored. */
  readonly onDone: () => void
  readonly onClose: () => void
}

const MOST = 1_000_000
/** Probability in percent that an answer must exceed, unless the user enters another one. */
const PROBABLE = '50'

/** Returns a whole number within limits, or null if the text isn't one. */
const parseWhole = (text: string, least: number, most: number): number | null =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : null

/**
 * Stores final answers for records that haven't been reviewed yet. The user selects the rule that derives the final answers from
 * people's answers.
 */
export const FillDialog = ({ datasetId, target, onDone, onClose }: Props) => {
  const { t } = useTranslation('features/review')
  const [rule, setRule] = useState<GoldRule>('unanimous')
  const [least, setLeast] = useState('2')
  const [probable, setProbable] = useState(PROBABLE)
  const hasModel = isModelRule(rule)
  const min = parseWhole(least, 1, MOST)
  const percent = hasModel ? parseWhole(probable, 0, 99) : Number(PROBABLE)
  const isValid = min !== null && percent !== null
  const body: GoldJobInput = { ...target, rule, min: min ?? 1, share: (percent ?? 0) / 100 }
  const counted = useQuery({
    queryKey: ['dataset', datasetId, 'gold-job', target, rule, min, percent],
    queryFn: async ({ signal }) => {
      const job = await startGoldJob(datasetId, { ...body, dry_run: true })
      // Computing a model for a large dataset takes a while, so the job is stopped when its result is no longer needed.
      const stop = () => void stopJob(job.id).catch(() => undefined)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop)
      return untilEnded(job)
    },
    enabled: isValid,
    gcTime: 0,
  })
  const { fill, isStarting } = useFill(datasetId, onDone)
  const stored = counted.data?.gold?.stored
  const confirm = async (): Promise<void> => {
    if (await fill(body)) onClose()
  }
  const result = () => {
    if (!isValid) return null
    if (counted.error) return <ProblemText error={counted.error} />
    if (stored === undefined) return counted.data ? (counted.data.reason ?? t('fill.failed')) : t('fill.counting')
    return t('fill.would', { count: stored, shown: formatCount(stored) })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('fill.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('fill.cancel')}</Button>
          <Button look="primary" busy={isStarting} disabled={stored === undefined || stored === 0} onClick={() => void confirm()}>
            {t('fill.action')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['hint']}>{t('fill.hint')}</p>
        <RadioList
          legend={t('fill.rule')}
          hideLegend
          options={goldRules.map((one) => ({ value: one, label: t(`fill.rules.${one}`), hint: t(`fill.ruleHints.${one}`) }))}
          value={rule}
          onChange={setRule}
        />
        <Input
          label={t('fill.min')}
          inputMode="numeric"
          value={least}
          error={min === null ? t('fill.minFault') : null}
          onChange={({ target }) => setLeast(target.value)}
        />
        {hasModel && (
          <Input
            label={t('fill.probable')}
            hint={t('fill.probableHint')}
            inputMode="numeric"
            value={probable}
            error={percent === null ? t('fill.probableFault') : null}
            onChange={({ target }) => setProbable(target.value)}
          />
        )}
        <p role="status">{result()}</p>
        {isValid && counted.data?.gold_models?.map((model) => <Reliability key={model.question} model={model} />)}
      </div>
    </Dialog>
  )
}
