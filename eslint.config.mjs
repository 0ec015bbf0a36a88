import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['**/dist/**', 'coverage/**', 'node_modules/**', '.local/**'] },
  eslint.configs.recommended,
  {
    // The compiler reads these files, too, and knows which names there are where they run.
    files: ['**/*.{js,mjs}'],
    rules: { 'no-undef': 'off' },
  },
  {
    files: ['apps/{gateway,website}/browser/*.js'],
    languageOptions: { sourceType: 'script' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      // The types of Preact bring those of browsers along.
      'no-restricted-globals': [
        'error',
        'document',
        'event',
        'location',
        'name',
        'navigator',
        'self',
        'window',
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Read the typed configuration instead; process.env is read once, in main.ts.',
        },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    files: [
      '**/main.ts',
      '**/migrate.ts',
      '**/archive.ts',
      'tools/**/*.ts',
      'libs/stripe-stand-in/**/*.ts',
      'libs/testing/**/*.ts',
      'test/**/*.ts',
      'bench/**/*.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['**/*spec.ts', '**/*.fixture.ts', 'test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['apps/{gateway,website}/src/**/*.controller.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Decorator > CallExpression[callee.name=/^(Query|Body)$/][arguments.length>0]',
          message: 'Take the whole query or body as a class: it is validated by its declaration.',
        },
      ],
    },
  },
  {
    // Their functions that a page evaluates run in the browser.
    files: ['test/browser/**/*.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
);
