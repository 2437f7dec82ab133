import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Recipe } from '../../contracts/recipes/recipe';
import { client } from '../connection/client';
import { useSignIn } from '../connection/sign-in';
import { Age } from '../elements/age';
import { Problem } from '../elements/problem';
import { Facts } from '../elements/facts';

const RECIPES = ['proposed-recipes'];

/** Recipes that sessions have learnt and that are used once a person agrees; nothing where there are none. */
export function ProposedRecipes() {
  const { data = [] } = useQuery({ queryKey: RECIPES, queryFn: () => client.listRecipes(), refetchInterval: 15_000 });
  const proposed = data.filter(({ status }) => status === 'proposed');
  if (proposed.length === 0) return null;
  return (
    <>
      <h2>Recipes to promote</h2>
      <p className="hint">Learnt from sessions. A promoted one does its step without a model.</p>
      <ul className="waiting">
        {proposed.map((recipe) => (
          <ProposedRecipe key={recipe.recipeId} recipe={recipe} />
        ))}
      </ul>
    </>
  );
}

function ProposedRecipe({ recipe: { recipeId, key, version, source, rounds, createdAt } }: { recipe: Shown }) {
  const queries = useQueryClient();
  const mayAct = useSignIn()?.state === 'signed-in';
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => client.promoteRecipe(recipeId, { version, by: 'web page' }),
    onSettled: () => queries.invalidateQueries({ queryKey: RECIPES }),
  });
  return (
    <li className="card" aria-label={`Recipe: ${key.instruction}`}>
      <h3>{key.instruction}</h3>
      <Facts
        of={[
          ['Page', key.page],
          ['Does', rounds.flatMap(({ commands }) => commands.map(({ action }) => action)).join(', ')],
          ['Learnt', <Age key="age" since={createdAt} />],
          [
            'From',
            <Link key="from" href={`/sessions/${source.sessionId}`}>
              its session
            </Link>,
          ],
        ]}
      />
      <Problem error={error} />
      <button className="primary" disabled={isPending || !mayAct} onClick={() => mutate()}>
        Use it from now on
      </button>
    </li>
  );
}

type Shown = Omit<Recipe, 'createdAt' | 'promotions'> & { createdAt: string | Date };
