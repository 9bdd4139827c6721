import type { GoldJobInput } from '@postil/contract/review.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { untilEnded } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { RadioList } from '#ui/controls/RadioList.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { type GoldTarget, startGoldJob } from './api.ts'
import styles from './FillDialog.module.css'
import { useFill } from './use-fill.ts'

type Props = {
  readonly datasetId: string
  readonly target: GoldTarget
  /** Called when final answers were stored or restored. */
  readonly onDone: () => void
  readonly onClose: () => void
}

const rules = ['unanimous', 'majority'] as const
const MOST = 1_000_000

/** Stores the answers on which people agree as final answers, for records that are not reviewed yet. */
export const FillDialog = ({ datasetId, target, onDone, onClose }: Props) => {
  const { t } = useTranslation('features/review')
  const [rule, setRule] = useState<(typeof rules)[number]>('unanimous')
  const [least, setLeast] = useState('2')
  const min = /^\d+$/.test(least) && Number(least) >= 1 && Number(least) <= MOST ? Number(least) : null
  const body: GoldJobInput = { ...target, rule, min: min ?? 1 }
  const counted = useQuery({
    queryKey: ['dataset', datasetId, 'gold-job', target, rule, min],
    queryFn: async () => untilEnded(await startGoldJob(datasetId, { ...body, dry_run: true })),
    enabled: min !== null,
    gcTime: 0,
  })
  const { fill, isStarting } = useFill(datasetId, onDone)
  const stored = counted.data?.gold?.stored
  const confirm = async (): Promise<void> => {
    if (await fill(body)) onClose()
  }
  const result = () => {
    if (min === null) return null
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
          options={rules.map((one) => ({ value: one, label: t(`fill.rules.${one}`), hint: t(`fill.ruleHints.${one}`) }))}
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
        <p role="status">{result()}</p>
      </div>
    </Dialog>
  )
}
