const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const part = (name: string, settings: object, more: object = {}) => ({ name, title: name, required: false, settings, ...more })
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** One field, question and metadata property of each kind. */
export const spec = {
  fields: [
    part('text', { type: 'text', use_markdown: false }, { required: true }),
    part('picture', { type: 'image' }),
    part('talk', { type: 'chat', use_markdown: false }),
    part('page', { type: 'custom', template: '<p></p>', advanced_mode: false }),
  ],
  questions: [
    part('label', { type: 'label_selection', options: options('yes', 'no') }, { required: true }),
    part('tags', { type: 'multi_label_selection', options: options('x', 'y', 'z') }),
    part('stars', { type: 'rating', options: [1, 2, 3].map((value) => ({ value })) }),
    part('note', { type: 'text', use_markdown: false }),
    part('rank', { type: 'ranking', options: options('a', 'b') }),
    part('turns', {
      type: 'span',
      postil_kind: 'turns',
      field: 'talk',
      options: options('good', 'bad'),
      unit: { of: 'turn', roles: ['assistant'] },
    }),
    part('parts', { type: 'span', field: 'text', options: options('PER', 'ORG'), allow_overlapping: false }),
  ],
  'metadata-properties': [part('source', { type: 'terms' }), part('size', { type: 'integer' }), part('share', { type: 'float' })],
  'vectors-settings': [{ name: 'vec', title: 'vec', dimensions: 2 }],
}

const answer = {
  label: { value: 'no' },
  tags: { value: ['y'] },
  stars: { value: 3 },
  note: { value: 'a note' },
  rank: {
    value: [
      { value: 'b', rank: 1 },
      { value: 'a', rank: 2 },
    ],
  },
  turns: { value: [{ start: 3, end: 8, label: 'good' }] },
  parts: { value: [{ start: 0, end: 3, label: 'ORG' }] },
}

export const items = (questionIdOf: (name: string) => string, user_id: string) => [
  {
    external_id: 'a',
    fields: {
      text: 'Ann works here',
      picture: `data:image/png;base64,${png}`,
      talk: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ],
      page: { title: 'T', list: [1, 2] },
    },
    metadata: { source: ['web', 'book'], size: 3, share: 0.5 },
    vectors: { vec: [0.25, 1] },
    suggestions: [
      { question_id: questionIdOf('label'), value: 'yes', score: 0.9, agent: 'model' },
      { question_id: questionIdOf('tags'), value: ['x', 'z'] },
      { question_id: questionIdOf('stars'), value: 2 },
      { question_id: questionIdOf('note'), value: 'suggested' },
      {
        question_id: questionIdOf('rank'),
        value: [
          { value: 'a', rank: 2 },
          { value: 'b', rank: 1 },
        ],
      },
      { question_id: questionIdOf('parts'), value: [{ start: 0, end: 3, label: 'PER' }] },
    ],
    responses: [{ user_id, status: 'submitted', values: answer }],
  },
  { external_id: 'b', fields: { text: 'Bob', page: { title: 'U', list: [3] } }, metadata: { source: 'web' } },
]

/** The same data after the round trip through the Hub, as the Python program prints it. */
export const exported = {
  fields: spec.fields.map(({ name }) => name),
  questions: spec.questions.map(({ name }) => name),
  metadata: spec['metadata-properties'].map(({ name }) => name),
  guidelines: 'Read, then answer.',
  subsets: ['default', 'other'],
  records: [
    {
      id: 'a',
      fields: {
        text: 'Ann works here',
        talk: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'Hello' },
        ],
        page: { title: 'T', list: [1, 2] },
      },
      metadata: { source: ['web', 'book'], size: 3, share: 0.5 },
      vectors: { vec: [0.25, 1] },
      suggestions: {
        label: 'yes',
        tags: ['x', 'z'],
        stars: 2,
        note: 'suggested',
        rank: ['b', 'a'],
        parts: [{ start: 0, end: 3, label: 'PER' }],
      },
      responses: [
        ['label', 'no', 'submitted'],
        ['tags', ['y'], 'submitted'],
        ['stars', 3, 'submitted'],
        ['note', 'a note', 'submitted'],
        ['rank', ['b', 'a'], 'submitted'],
        ['turns', [{ start: 3, end: 8, label: 'good' }], 'submitted'],
        ['parts', [{ start: 0, end: 3, label: 'ORG' }], 'submitted'],
      ],
    },
    { id: 'b', fields: { text: 'Bob', page: { title: 'U', list: [3] } }, suggestions: {}, responses: [] },
  ],
  features: { picture: 'Image(mode=None, decode=True, id=None)', id: "Value(dtype='string', id=None)" },
}
