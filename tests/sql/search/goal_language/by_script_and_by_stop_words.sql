begin;
select plan(23);

select is(search.goal_language(g.goal), g.language, g.goal)
from (
    values
    ('what time is it in Tokyo', null),
    ('status', null),
    ('', null),
    ('delete the n8n variable with ID 42', null),
    ('SELECT id FROM orders', null),
    ('Translate "東京は今何時ですか" to English', null),
    ('Does Naver consider “성인용품” an adult query?', null),
    ('Open ψ/notes.md from the vault', null),
    ('Bounding box of el-de-la-los.txt', null),
    ('is it the boss''s turn to say ''la mesa de los niños'' today', null),
    ('東京は今何時ですか', 'Japanese'),
    ('東京の天気 GET /weather', 'Japanese'),
    ('查一下杭州今天的天气', 'Chinese'),
    ('POST /checkout 返回了 422', 'Chinese'),
    ('서울 날씨 알려줘', 'Korean'),
    ('сколько времени в Токио', 'Russian'),
    ('كم الساعة الآن في طوكيو', 'Arabic'),
    ('टोक्यो में समय क्या है', 'Hindi'),
    ('wie spät ist es in Berlin', 'German'),
    ('ajoute un fichier dans le dossier', 'French'),
    ('¿qué hora es en la ciudad de Tokio?', 'Spanish'),
    ('o que há nesta pasta e quem a criou para nós', 'Portuguese'),
    ('vad är klockan i Tokyo och hur är vädret', 'Swedish')
) as g (goal, language);

select * from finish();
rollback;
