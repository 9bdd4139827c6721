import type { AlignmentReference, AlignmentSplit, QuestionAlignment } from '@postil/contract/model-alignment.ts'
import type { ModelRun } from '@postil/contract/model-runs.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { formatCoefficient, formatShare, Panel, TableScroller, tableClass } from '#features/overview/public.ts'
import { formatCount, formatNumber, formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { valueText } from '#question-types/value-text.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { alignmentQuery } from '../api.ts'
import { useModels } from '../context.ts'
import styles from '../models.module.css'
import { Coefficient, Rate } from '../Rate.tsx'
import { useReferences } from '../ResultsPanel.tsx'
import { AlternativeTable, formatP } from './AlternativeTable.tsx'
import { Disagreements } from './Disagreements.tsx'

/** How a run's answers compare with people's answers. */
export const Alignment = ({ run }: { readonly run: ModelRun }) => {
  const { t } = useTranslation('features/models')
  const { runs } = useModels()
  const references = useReferences()
  const [against, setAgainst] = useState<AlignmentReference>('gold')
  const [split, setSplit] = useState<AlignmentSplit>('dev')
  const [other, setOther] = useState('')
  const { data, error } = useQuery(alignmentQuery(run, { against, split, other: other === '' ? undefined : other }))
  const others = runs.filter(({ id, answered }) => id !== run.id && answered > 0)
  return (
    <>
      <Panel
        title={t('results.title')}
        hint={t('results.explain')}
        sheet={null}
        tools={
          <span className={styles['choices']}>
            <Select label={t('results.against')} value={against} options={references} onChange={setAgainst} />
            {others.length > 0 && (
              <Select
                label={t('results.other')}
                value={other}
                options={[
                  { value: '', label: t('results.noOther') },
                  ...others.map(({ id, agent, model }) => ({ value: id, label: `${agent} · ${model}` })),
                ]}
                onChange={setOther}
              />
            )}
            <Button onClick={() => setSplit(split === 'dev' ? 'test' : 'dev')}>
              {t(split === 'dev' ? 'results.lookAtTest' : 'results.backToDev')}
            </Button>
          </span>
        }
      >
        {error && <ProblemNotice error={error} />}
        {!data && !error && <Skeleton height="8rem" />}
        {data && (
          <Notice kind={split === 'test' ? 'warning' : 'info'}>
            {t(`results.half.${split}`)}{' '}
            {t('results.looks', { run: formatCount(data.looks.run), dataset: formatCount(data.looks.dataset) })}
          </Notice>
        )}
      </Panel>
      {data?.questions.map((found) => (
        <QuestionResult key={found.name} run={run} found={found} against={against} split={split} />
      ))}
    </>
  )
}

type Props = {
  readonly run: ModelRun
  readonly found: QuestionAlignment
  readonly against: AlignmentReference
  readonly split: AlignmentSplit
}

const QuestionResult = ({ run, found, against, split }: Props) => {
  const { t } = useTranslation('features/models')
  const { t: nameMeasure } = useTranslation('features/overview')
  const { questions } = useModels()
  const question = questions.find(({ id }) => id === found.question_id)
  const textOf = (value: string | number): string => (question ? valueText(question, value) : String(value))
  const title = question?.title ?? found.name
  if (found.records === 0)
    return (
      <Panel title={title} sheet={null}>
        <div className={styles['stack']}>
          <p className={styles['hint']}>{t(`results.none.${against}`)}</p>
          {found.position && (
            <dl className={styles['figures']}>
              <Position position={found.position} />
            </dl>
          )}
        </div>
      </Panel>
    )
  const { kappa, human, calibration, length, corrected, alternative, comparison } = found
  return (
    <Panel title={title} sheet={null}>
      <div className={styles['stack']}>
        <dl className={styles['figures']}>
          <Term name={t('results.equal')}>
            {t('results.equalOf', {
              share: formatShare(found.equal, found.records),
              equal: formatCount(found.equal),
              records: formatCount(found.records),
            })}
          </Term>
          <Term name={found.measure === null ? t('results.alpha') : nameMeasure(`measure.${found.measure}`)}>
            <Coefficient value={found.value} interval={found.interval} />
          </Term>
          {kappa && (
            <Term name={t('results.kappa')}>
              <Coefficient value={kappa.value} interval={kappa.interval} />
            </Term>
          )}
          <Term name={t('results.humanOn', { count: human.records, shown: formatCount(human.records) })}>
            <Coefficient value={human.value} interval={human.interval} />
          </Term>
          {calibration && (
            <Term name={t('results.calibration')}>
              {t('results.calibrationOf', { ece: formatPercent(calibration.ece), brier: formatCoefficient(calibration.brier) })}
            </Term>
          )}
          {length && (
            <Term name={t('results.length')} isWide>
              {t('results.lengthOf', {
                wrong: formatCount(Math.round(length.wrong)),
                right: formatCount(Math.round(length.right)),
                longer: formatPercent(length.longer),
              })}
            </Term>
          )}
          {corrected && (
            <Term name={t('results.corrected', { label: textOf(corrected.label), shown: formatCount(corrected.n) })} isWide>
              {t('results.correctedOf', { value: formatPercent(corrected.value), seen: formatPercent(corrected.seen) })}
              {corrected.interval && (
                <span className={styles['hint']}>
                  {' '}
                  {t('results.interval', {
                    low: formatPercent(corrected.interval[0] ?? 0),
                    high: formatPercent(corrected.interval[1] ?? 1),
                  })}
                </span>
              )}
            </Term>
          )}
          {alternative && (
            <Term name={t('results.alternative')}>
              {t('results.alternativeOf', {
                beaten: formatCount(alternative.annotators.filter(({ beaten }) => beaten).length),
                all: formatCount(alternative.annotators.length),
                epsilon: formatNumber(alternative.epsilon),
              })}
            </Term>
          )}
          {comparison && (
            <Term name={t('results.comparison')} isWide>
              {t('results.comparisonOf', {
                own: formatCount(comparison.only_this),
                other: formatCount(comparison.only_other),
                p: formatP(comparison.p),
              })}
            </Term>
          )}
          {found.position && <Position position={found.position} />}
        </dl>
        {found.confusion && <Matrix confusion={found.confusion} textOf={textOf} />}
        {found.labels.length > 0 && (
          <TableScroller label={t('results.byLabel')}>
            <table className={classNames(tableClass, styles['table'])}>
              <thead>
                <tr>
                  <th scope="col">{t('results.label')}</th>
                  <th scope="col">{t('results.precision')}</th>
                  <th scope="col">{t('results.recall')}</th>
                </tr>
              </thead>
              <tbody>
                {found.labels.map(({ value, precision, recall }) => (
                  <tr key={value}>
                    <th scope="row">
                      <bdi>{textOf(value)}</bdi>
                    </th>
                    <td>
                      <Rate rate={precision} />
                    </td>
                    <td>
                      <Rate rate={recall} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroller>
        )}
        {alternative && <AlternativeTable alternative={alternative} />}
        {question && found.equal < found.records && (
          <Disagreements run={run} question={question} count={found.records - found.equal} against={against} split={split} />
        )}
      </div>
    </Panel>
  )
}

type PositionBias = NonNullable<QuestionAlignment['position']>
type TermProps = { readonly name: string; readonly isWide?: boolean; readonly children: ReactNode }

const Term = ({ name, isWide, children }: TermProps) => (
  <div data-wide={isWide ? '' : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Which of the two positions the model prefers in comparisons. Computed over all records of the run. */
const Position = ({ position: { same, first, second, p } }: { readonly position: PositionBias }) => {
  const { t } = useTranslation('features/models')
  const [low = 0, high = 1] = same.interval
  return (
    <Term name={t('results.position')} isWide>
      {t('results.positionOf', {
        same: formatPercent(same.value),
        interval: t('results.rate', { low: formatPercent(low), high: formatPercent(high), n: formatCount(same.n) }),
        first: formatCount(first),
        second: formatCount(second),
        p: formatP(p),
      })}
    </Term>
  )
}

type MatrixProps = {
  readonly confusion: NonNullable<QuestionAlignment['confusion']>
  readonly textOf: (value: string | number) => string
}

/** For each value of the reference, how often the model gave each value. */
const Matrix = ({ confusion: { rows, columns, counts }, textOf }: MatrixProps) => {
  const { t } = useTranslation('features/models')
  return (
    <TableScroller label={t('results.confusion')}>
      <table className={classNames(tableClass, styles['table'])}>
        <caption className={styles['caption']}>{t('results.confusionHint')}</caption>
        <thead>
          <tr>
            <td />
            {columns.map((value) => (
              <th key={value} scope="col" data-number="">
                <bdi>{textOf(value)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((value, row) => (
            <tr key={value}>
              <th scope="row">
                <bdi>{textOf(value)}</bdi>
              </th>
              {columns.map((other, column) => (
                <td key={other} data-number="" data-equal={row === column ? '' : undefined}>
                  {formatCount(counts[row]?.[column] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  )
}
