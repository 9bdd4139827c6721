import type { Agreement, QuestionAgreement } from '@postil/contract/agreement.ts'
import type { QuestionInsights } from '@postil/contract/insights.ts'
import { useId } from 'react'
import { agreementColumn, printDiffer, printOverlap } from '#features/records/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { useOverview } from '../context.ts'
import { formatCoefficient } from '../parts/format.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import { Count, RecordsLink } from '../parts/RecordsLink.tsx'
import { AgreementDetail } from './AgreementDetail.tsx'
import styles from './agreement.module.css'
import { comparesTurns, headlineOf, type Skew, skewOf, spanOf } from './headline.ts'
import { IntervalBar } from './IntervalBar.tsx'

/** With fewer records than this, the value is marked as uncertain. */
const leastUnits = 30

type RowProps = {
  readonly found: QuestionAgreement
  readonly skew: Skew | null
  readonly least: number
  readonly isOpen: boolean
  readonly onToggle: () => void
}

const QuestionRows = ({ found, skew, least, isOpen, onToggle }: RowProps) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const id = useId()
  const question = questions.find((one) => one.id === found.question_id)
  const title = question?.title ?? found.name
  const isPerTurn = comparesTurns(question)
  const shared = { overlap: printOverlap({ kind: 'shared', question: found.name }) } as const
  const units = { count: found.units, shown: formatCount(found.units) }
  const { measure, value, reason } = headlineOf(found)
  const isFew = value !== null && found.units < leastUnits
  const hasWarnings = isFew || skew !== null
  const Chevron = isOpen ? ChevronDownIcon : ChevronRightIcon
  return (
    <>
      <tr className={hasWarnings || isOpen ? styles['joined'] : undefined}>
        <th scope="row">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            className={styles['toggle']}
            onClick={onToggle}
          >
            <Chevron size={14} />
            <bdi>{title}</bdi>
          </button>
        </th>
        <td className={styles['measure']}>{t(`measure.${measure}`)}</td>
        <td data-number="" className={styles['value']}>
          {value === null ? <span className={partStyles['quiet']}>–</span> : formatCoefficient(value)}
        </td>
        <td data-bar="">
          {value === null ? (
            <span className={partStyles['quiet']}>{t(`reason.${reason ?? 'no_overlap'}`)}</span>
          ) : (
            <IntervalBar value={value} interval={found.interval} least={least} />
          )}
        </td>
        <td data-number="">
          {isPerTurn && found.units > 0 ? (
            <RecordsLink search={shared}>{t('agreement.turns', units)}</RecordsLink>
          ) : (
            <Count value={found.units} search={shared} />
          )}
        </td>
        <td>
          {found.units > 0 && (
            <RecordsLink
              search={{
                differ: printDiffer({ from: 'answers', question: found.name }),
                // Text questions have no measure.
                ...(found.measure !== null && { sort: `${agreementColumn(found.name)}.asc` }),
              }}
            >
              {t('agreement.differing')}
            </RecordsLink>
          )}
        </td>
      </tr>
      {hasWarnings && (
        <tr className={classNames(styles['warnings'], isOpen && styles['joined'])}>
          <td colSpan={6}>
            <ul>
              {isFew && <li>{isPerTurn ? t('agreement.fewTurns', units) : t('agreement.few', units)}</li>}
              {skew && (
                <li>
                  {t('agreement.skew', {
                    measure: t(`measure.${skew.measure}`),
                    value: formatCoefficient(skew.value),
                    share: skew.share,
                  })}
                </li>
              )}
            </ul>
          </td>
        </tr>
      )}
      {isOpen && (
        <tr className={styles['detailRow']}>
          <td colSpan={6} id={id}>
            <AgreementDetail found={found} title={title} />
          </td>
        </tr>
      )}
    </>
  )
}

type Props = {
  readonly agreement: Agreement
  /** How many answers have each value, for each question. Empty while the counts load. */
  readonly counts: readonly QuestionInsights[]
  /** The name of the open question. */
  readonly open: string | null
  readonly onOpen: (question: string | null) => void
}

export const AgreementSection = ({ agreement, counts, open, onOpen }: Props) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const { questions: all } = agreement
  const least = spanOf(all)
  const titleOf = ({ question_id, name }: QuestionAgreement) => questions.find(({ id }) => id === question_id)?.title ?? name
  return (
    <Panel
      title={t('section.agreement')}
      hint={t('agreement.hint')}
      sheet={{
        head: [
          t('suggestions.question'),
          t('agreement.measure'),
          t('agreement.value'),
          t('agreement.low'),
          t('agreement.high'),
          t('agreement.records'),
          t('agreement.why'),
        ],
        rows: all.map((found) => {
          const { measure, value, reason } = headlineOf(found)
          const [low = null, high = null] = found.interval ?? []
          return [
            titleOf(found),
            t(`measure.${measure}`),
            value,
            low,
            high,
            found.units,
            reason === null ? null : t(`reason.${reason}`),
          ]
        }),
      }}
    >
      <TableScroller label={t('section.agreement')}>
        <table className={classNames(partStyles['table'], styles['table'])}>
          <thead>
            <tr>
              <th scope="col">{t('suggestions.question')}</th>
              <th scope="col">{t('agreement.measure')}</th>
              <th scope="col" data-number="">
                {t('agreement.value')}
              </th>
              <th scope="col" data-bar="">
                {t('agreement.interval')}
              </th>
              <th scope="col" data-number="">
                {t('agreement.records')}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t('agreement.differing')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {all.map((found) => (
              <QuestionRows
                key={found.question_id}
                found={found}
                skew={skewOf(
                  found,
                  counts.find(({ question_id }) => question_id === found.question_id),
                )}
                least={least}
                isOpen={open === found.name}
                onToggle={() => onOpen(open === found.name ? null : found.name)}
              />
            ))}
          </tbody>
        </table>
      </TableScroller>
    </Panel>
  )
}
