import { RankingEditor } from './Editor.tsx'
import { PartialRanking } from './Partial.tsx'
import { RankingValue } from './Value.tsx'

/** The parts of this question type that are loaded with its first question. */
export const rankingParts = { Editor: RankingEditor, Value: RankingValue, Partial: PartialRanking }
