import { pngUrl } from '../../e2e/web/support/png.ts'
import type { DataSettings } from '../data/settings.ts'

const label = (value: string, text: string) => ({ value, text })

/** A dataset with every type of field and question. */
export const showcaseSettings: DataSettings = {
  guidelines:
    '# Showcase\n\nEvery kind of field and question. Read the **whole** record first.\n\n- `Markdown` works in the text and in the chat\n- the picture and the card are optional',
  fields: [
    { name: 'text', title: 'Text', required: true, settings: { type: 'text', use_markdown: true } },
    { name: 'plain', title: 'Plain text', required: true, settings: { type: 'text', use_markdown: false } },
    { name: 'talk', title: 'Conversation', required: false, settings: { type: 'chat', use_markdown: true } },
    { name: 'picture', title: 'Picture', required: false, settings: { type: 'image' } },
    {
      name: 'card',
      title: 'Card',
      required: false,
      settings: {
        type: 'custom',
        advanced_mode: false,
        template:
          '<section style="font-family: sans-serif; padding: 1rem; border: 1px solid #8886; border-radius: 8px"><h2 style="margin-top: 0">{{record.fields.card.title}}</h2><p>{{record.fields.card.body}}</p><meter min="0" max="10" value="{{record.fields.card.score}}"></meter></section>',
      },
    },
  ],
  questions: [
    {
      name: 'tone',
      title: 'What is the tone?',
      required: true,
      settings: {
        type: 'label_selection',
        options: [label('friendly', 'Friendly'), label('neutral', 'Neutral'), label('harsh', 'Harsh')],
      },
    },
    {
      name: 'topics',
      title: 'What is it about?',
      required: false,
      settings: {
        type: 'multi_label_selection',
        options: ['Price', 'Quality', 'Delivery', 'Service', 'Website', 'Returns'].map((text) => label(text.toLowerCase(), text)),
        visible_options: 4,
      },
    },
    {
      name: 'stars',
      title: 'How good is the answer?',
      required: true,
      settings: { type: 'rating', options: [1, 2, 3, 4, 5].map((value) => ({ value })) },
    },
    {
      name: 'names',
      title: 'Mark people and places',
      required: false,
      settings: {
        type: 'span',
        field: 'plain',
        options: [label('person', 'Person'), label('place', 'Place')],
        allow_overlapping: false,
      },
    },
    {
      name: 'order',
      title: 'Which matters most?',
      required: false,
      settings: { type: 'ranking', options: [label('helpful', 'Helpful'), label('correct', 'Correct'), label('short', 'Short')] },
    },
    { name: 'better', title: 'Write a better answer', required: false, settings: { type: 'text', use_markdown: true } },
  ],
  metadata: [{ name: 'language', title: 'Language', settings: { type: 'terms' } }],
  vectors: [],
}

export type ShowcaseRecord = {
  readonly external_id: string
  readonly fields: object
  readonly metadata: object
  readonly suggestions: readonly {
    readonly question: string
    readonly value: unknown
    readonly score?: number | readonly number[]
    readonly agent: string
  }[]
}

/** A color as red, green and blue, 0 to 255. @param hue in degrees @param lightness 0 to 1 */
const rgb = (hue: number, lightness: number): readonly number[] =>
  [0, 8, 4].map((part) => {
    const k = (part + hue / 30) % 12
    return Math.round(255 * (lightness - 0.6 * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  })

/** A disc on a background of another color. */
const svgImage = (hue: number): string => {
  const [ground, disc] = [rgb(hue, 0.7), rgb(hue + 120, 0.45)]
  return pngUrl(320, 180, 'colour', (pixels, at, x, y) => {
    // How much of the pixel the disc covers, for a smooth edge.
    const inside = Math.max(0, Math.min(1, 60.5 - Math.hypot(x - 159.5, y - 89.5)))
    for (const [channel, back] of ground.entries()) pixels[at + channel] = back + ((disc[channel] ?? 0) - back) * inside
  })
}

const PLACES = ['K\u00f6ln', 'Z\u00fcrich', 'S\u00e3o Paulo', 'Krak\u00f3w', '\u6771\u4eac', 'Nairobi'] as const
const PEOPLE = ['Ada Lovelace', 'Zo\u00eb \u{1F600} Kravitz', 'Grace Hopper', 'J\u00f3zef Maria', 'Ursula', 'Bj\u00f6rk'] as const

export const showcaseRecords: readonly ShowcaseRecord[] = PLACES.map((place, i) => {
  const person = PEOPLE[i] ?? 'Somebody'
  const start = 0
  return {
    external_id: `showcase-${i + 1}`,
    fields: {
      text: `## Order ${1000 + i}\n\nMy parcel to *${place}* is **late**. Formula: $E = mc^2$\n\n\`\`\`python\nprint("hello")\n\`\`\``,
      plain: `${person} wrote from ${place} that the parcel has not arrived.`,
      talk: [
        { role: 'user', content: `Hello, I am ${person}. Where is my parcel?` },
        { role: 'assistant', content: `It is on its way to **${place}**.` },
        { role: 'user', content: 'Since *when*?' },
      ],
      ...(i % 2 === 0 && { picture: svgImage(i * 50) }),
      card: { title: `Customer ${i + 1}`, body: `${person}, ${place}`, score: (i * 3) % 10 },
    },
    metadata: { language: i % 2 === 0 ? 'en' : 'de' },
    suggestions: [
      { question: 'tone', value: i % 3 === 0 ? 'harsh' : 'neutral', score: 0.6 + i / 20, agent: 'demo-model' },
      { question: 'names', value: [{ label: 'person', start, end: [...person].length }], score: [0.9], agent: 'demo-model' },
    ],
  }
})
