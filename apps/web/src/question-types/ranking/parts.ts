import { RankingEditor } from './Editor.tsx'
import { PartialRanking } from './Partial.tsx'
import { RankingValue } from './Value.tsx'

/** Everything that loads with the first ranking. */
export const rankingParts = { Editor: RankingEditor, Value: RankingValue, Partial: PartialRanking }
