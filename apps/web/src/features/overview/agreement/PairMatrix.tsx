import type { QuestionAgreement } from '@postil/contract/agreement.ts'
import type { CSSProperties } from 'react'
import { printOverlap } from '#features/records/public.ts'
import { compareTexts, formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { useOverview } from '../context.ts'
import { formatCoefficient } from '../parts/format.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import { RecordsLink } from '../parts/RecordsLink.tsx'
import { useRovingCells } from '../parts/use-roving-cells.ts'
import styles from './agreement.module.css'

/** Cells with fewer records than this are hollow. */
const leastRecords = 10

/** How much each pair of people agrees. Each cell links to the records that both people have answered. */
export const PairMatrix = ({ found }: { readonly found: QuestionAgreement }) => {
  const { t } = useTranslation('features/overview')
  const { people } = useOverview()
  const ids = [...new Set(found.pairs.flatMap(({ users }) => users))].toSorted((a, b) =>
    compareTexts(people.nameOf(a), people.nameOf(b)),
  )
  const byPair = new Map(
    found.pairs.flatMap((pair) => [pair.users, pair.users.toReversed()].map((users) => [users.join(), pair])),
  )
  const isFilled = (row: number, column: number) => byPair.has([ids[row], ids[column]].join())
  const firstColumn = ids.findIndex((_, column) => isFilled(0, column))
  const { current, onKeyDown, onFocus } = useRovingCells(ids.length, ids.length, `0 ${firstColumn}`)
  const hasKappa = found.pairs.some(({ kappa }) => kappa !== null)
  return (
    <Panel
      level={3}
      title={t('agreement.pairs')}
      hint={hasKappa ? t('agreement.pairsHintKappa') : t('agreement.pairsHint')}
      sheet={{
        head: [t('agreement.first'), t('agreement.second'), t('agreement.records'), t('agreement.equal'), t('agreement.kappa')],
        rows: found.pairs.map(({ users: [a = '', b = ''], units, observed, kappa }) => [
          people.nameOf(a),
          people.nameOf(b),
          units,
          observed,
          kappa,
        ]),
      }}
    >
      <TableScroller label={t('agreement.pairs')}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move between the cells
          role="grid"
          aria-label={t('agreement.pairs')}
          className={styles['matrix']}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        >
          <thead>
            <tr>
              <td />
              {ids.map((id) => (
                <th key={id} scope="col" title={people.nameOf(id)}>
                  <bdi>{people.nameOf(id)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ids.map((a, row) => (
              <tr key={a}>
                <th scope="row" title={people.nameOf(a)}>
                  <bdi>{people.nameOf(a)}</bdi>
                </th>
                {ids.map((b, column) => {
                  const pair = byPair.get([a, b].join())
                  if (!pair) return <td key={b} />
                  const shown = pair.kappa ?? pair.observed
                  const place = `${row} ${column}`
                  return (
                    <td key={b}>
                      <RecordsLink
                        search={{ by: a, with: b, overlap: printOverlap({ kind: 'shared', question: found.name }) }}
                        className={styles['cell']}
                        tabIndex={place === current ? 0 : -1}
                        data-cell={place}
                        data-hollow={pair.units < leastRecords ? '' : undefined}
                        style={{ '--fill': Math.max(0, shown) } as CSSProperties}
                      >
                        <VisuallyHidden>{t('agreement.pair', { a: people.nameOf(a), b: people.nameOf(b) })} </VisuallyHidden>
                        <span>{formatCoefficient(shown)}</span>
                        <span className={styles['n']}>{t('agreement.n', { n: formatCount(pair.units) })}</span>
                      </RecordsLink>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {found.pairs_left_out > 0 && (
        <p className={styles['note']}>
          {t('agreement.leftOut', { count: found.pairs_left_out, shown: formatCount(found.pairs_left_out) })}
        </p>
      )}
    </Panel>
  )
}
