// malloc(), new, and where they end.
struct Node { int value; Node *next; };
void setup() {
  Serial.begin(115200);
  Node *first = 0;
  for (int i = 0; i < 20; i++) first = new Node{i, first};
  int sum = 0;
  for (Node *n = first; n;) {
    sum += n->value;
    Node *next = n->next;
    delete n;
    n = next;
  }
  Serial.println(sum);
  char *p = (char *)malloc(100);
  p = (char *)realloc(p, 300);
  Serial.println(p != 0);
  free(p);
  Serial.println(malloc(5000) == 0);
}
void loop() {}
